-- For wrk with one connection a thread: measures each answer by its status, and waits a while after a refusal.
--
-- Prints `admitted COUNT P99` and `refused COUNT P99`, in milliseconds, and `other COUNT`.

local ffi = require("ffi")
ffi.cdef [[
typedef struct { long seconds; long nanoseconds; } sluice_time;
int clock_gettime(int clock, sluice_time *time);
]]
local time = ffi.new("sluice_time")
local function now()
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
end

local threads = {}
local number = 0

function setup(thread)
    thread:set("number", number)
    number = number + 1
    table.insert(threads, thread)
end

function init()
    admitted, refused, other = "", "", 0
    start, asked, wait = 0, 0, 0
end

-- Called before each request but the first.
function delay()
    local pause = wait
    wait = 0
    return pause
end

function request()
    start = now()
    asked = asked + 1
    -- Nobody asks for the same, so that no answer is shared.
    return wrk.format("GET", "/users/" .. number .. "-" .. asked)
end

function response(status, headers)
    local took = string.format("%.3f ", now() - start)
    if status == 200 then
        admitted = admitted .. took
    elseif status == 503 and headers["Retry-After"] == "1" then
        refused = refused .. took
        wait = 100
    else
        other = other + 1
    end
end

function done()
    local function report(name)
        local times = {}
        for _, thread in ipairs(threads) do
            for text in thread:get(name):gmatch("%S+") do table.insert(times, tonumber(text)) end
        end
        table.sort(times)
        local p99 = times[math.max(1, math.ceil(#times * 0.99))] or 0
        print(string.format("%s %d %.1f", name, #times, p99))
    end
    report("admitted")
    report("refused")
    local count = 0
    for _, thread in ipairs(threads) do count = count + thread:get("other") end
    print("other " .. count)
end
