vcl 4.1;
# Varnish before several servers: a cache of its own, and requests for the same image always go to the same server.
# What depends on the reader is not stored, since Lectern says so in Cache-Control. What has changed is forgotten (docs/guide/caches.md):
#   { "http": { "surrogateKeys": ["Surrogate-Key"] },
#     "purge": { "targets": [{ "name": "varnish", "template": "varnish", "address": "http://127.0.0.1:80/" }] } }

import directors;

probe ready {
  # 503 while a disk of the scans hangs, or while the server is about to end.
  .url = "/readyz";
  .interval = 5s;
  # Longer than the 2 s that a server waits for its disks.
  .timeout = 4s;
  .window = 3;
  .threshold = 2;
}

backend lectern_1 {
  .host = "127.0.0.1";
  .port = "8081";
  .connect_timeout = 2s;
  # Longer than limits.deadlineMs.
  .first_byte_timeout = 30s;
  .probe = ready;
}

backend lectern_2 {
  .host = "127.0.0.1";
  .port = "8082";
  .connect_timeout = 2s;
  .first_byte_timeout = 30s;
  .probe = ready;
}

# Where the servers of Lectern are, which tell what has changed.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_init {
  new servers = directors.shard();
  servers.add_backend(lectern_1);
  servers.add_backend(lectern_2);
  servers.reconfigure();
}

sub vcl_recv {
  # What a client sends under these names would be in the addresses of documents that everyone gets from the cache.
  unset req.http.X-Forwarded-Host;
  unset req.http.X-Forwarded-Prefix;
  unset req.http.Forwarded;
  # Only for those who watch the servers, which ask them directly.
  if (req.url ~ "/(?:metrics|readyz)(?:\?|$)") {
    return (synth(404));
  }
  # What names the image, also of requests that are not stored: digilib's parameter fn, or the path behind /iiif/2/ or /iiif/3/ up to
  # the next slash; for other pages the path.
  if (req.url ~ "[?&;]fn=[^&;]") {
    set req.http.X-Image = regsub(req.url, "^.*?[?&;]fn=([^&;]+).*$", "\1");
  } else if (req.url ~ "^(?:/[^/?]+)*?/iiif/[23]/[^/?]") {
    set req.http.X-Image = regsub(req.url, "^(?:/[^/?]+)*?/iiif/[23]/([^/?]+).*$", "\1");
  } else {
    set req.http.X-Image = regsub(req.url, "\?.*$", "");
  }
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^l[0-9a-f]{16}(\|l[0-9a-f]{16})*$") {
      return (synth(400));
    }
    ban("obj.http.Surrogate-Key ~ " + req.http.Surrogate-Key);
    return (synth(200));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Tokens and sessions: Lectern decides for each reader.
  if (req.http.Authorization || req.url ~ "[?&]token=") {
    return (pass);
  }
}

sub vcl_backend_fetch {
  # The next server on the ring where the first one could not be reached, before its probe has found out.
  set bereq.backend = servers.backend(by = KEY, key = servers.key(bereq.http.X-Image), alt = bereq.retries, healthy = ALL);
}

sub vcl_backend_error {
  if (bereq.retries == 0 && (bereq.method == "GET" || bereq.method == "HEAD")) {
    return (retry);
  }
}

sub vcl_deliver {
  # For Varnish alone.
  unset resp.http.Surrogate-Key;
}
