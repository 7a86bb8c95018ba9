// A provider of OpenID Connect in a process of its own, so that its clock can differ: started by provider.ts with its options in
// PROVIDER_OPTIONS, on a port that the system chooses, and told its client and what changes by messages. Whoever comes is signed in at
// once as the present account, or by a form.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const options = JSON.parse(process.env.PROVIDER_OPTIONS);
const now = Date.now.bind(Date);
Date.now = () => now() + options.clockMs;

const state = { account: options.account, asks: options.asks, fault: undefined, requests: [] };

function newKeys() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: `key-${now()}` }] };
}

const form = `<!doctype html><title>Provider</title><h1>Provider</h1>
<form method="post"><input name="account" aria-label="Account"><button>Go on</button></form>`;

function open(jwks) {
  const { redirectUris, logoutUris = [], backChannelUri } = state.client;
  const provider = new Provider(`http://127.0.0.1:${server.address().port}`, {
    clients: [
      {
        client_id: 'lectern',
        ...(options.secret ? { client_secret: options.secret } : { token_endpoint_auth_method: 'none' }),
        redirect_uris: redirectUris,
        post_logout_redirect_uris: logoutUris,
        ...(backChannelUri && {
          backchannel_logout_uri: backChannelUri,
          backchannel_logout_session_required: true,
        }),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks,
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], profile: ['name', 'groups', 'roles', 'realm_access'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, html) => {
          ctx.body = `<!doctype html><title>Out</title>${html}<script>document.forms[0].submit()</script>
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
        },
      },
    },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => options.givesRefreshTokens,
    rotateRefreshToken: () => options.rotates,
    conformIdTokenClaims: !options.claimsInToken,
    findAccount: (_ctx, id) => {
      const known = state.account.id === id ? state.account : undefined;
      const { name, groups, claims } = known ?? {};
      return known && { accountId: id, claims: async () => ({ sub: id, name, groups, ...claims }) };
    },
    fetch: (url, init) => {
      const { dispatcher: _own, ...rest } = init ?? {};
      return fetch(url, rest);
    },
  });
  return { provider, callback: provider.callback() };
}

/** Until it knows its client, it answers 503. */
let current;

async function finish(request, response, accountId) {
  const { provider } = current;
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const consent = { grantId: await grant.save() };
  const result = prompt.name === 'login' ? { login: { accountId }, consent } : { consent };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

async function answer(request, response) {
  state.requests.push(`${request.method} ${request.url.split('?')[0]}`);
  if (state.fault === 'hangs') return;
  if (state.fault === 'fails') return void response.writeHead(500).end();
  if (current === undefined) return void response.writeHead(503).end();
  if (!request.url.startsWith('/interaction/')) return void current.callback(request, response);
  if (!state.asks) return void (await finish(request, response, state.account.id));
  if (request.method === 'GET') return void response.writeHead(200, { 'content-type': 'text/html' }).end(form);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  await finish(request, response, new URLSearchParams(Buffer.concat(chunks).toString()).get('account'));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
});

const commands = {
  set: (values) => Object.assign(state, values),
  register: (client) => {
    state.client = client;
    current = open(newKeys());
  },
  rotateKeys: () => {
    current = open(newKeys());
  },
  takeRequests: () => state.requests.splice(0),
};

process.on('message', ({ id, command, value }) => process.send({ id, value: commands[command](value) ?? null }));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ id: 0, value: server.address().port }));
