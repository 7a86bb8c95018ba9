-- Requests the paths of a file in turn, each thread from another position on, and prints its counts as JSON.

local threads = 0

function setup(thread)
  thread:set("first", threads)
  threads = threads + 1
end

local requests = {}
local position = 0

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  position = math.floor(first * #requests / 2)
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"answers":%d,"elapsedMs":%.3f,"bytes":%d,"wrong":%d,"failed":%d}\n',
    summary.requests, summary.duration / 1000, summary.bytes, errors.status, failed
  ))
end
