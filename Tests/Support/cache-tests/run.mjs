// Runs the browser set of http-tests/cache-tests against a cache on the other side of standard input and output:
//
//     node run.mjs FOLDER
//
// FOLDER is a copy of https://github.com/http-tests/cache-tests. Each request of the tests is a line of JSON on standard
// output, and its answer a line with the same `id` on standard input. The last line has the results.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const folder = resolve(process.argv[2])
const load = path => import(pathToFileURL(join(folder, path)).href)
const write = value => process.stdout.write(JSON.stringify(value) + '\n')
console.log = console.error

const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const { port } = probe.address()
probe.close()
await once(probe, 'close')

const pidfile = join(tmpdir(), `cache-tests-${process.pid}.pid`)
Object.assign(process.env, { npm_config_protocol: 'http', npm_config_port: `${port}`, npm_config_pidfile: pidfile })
await load('test-engine/server/server.mjs')

// The requests of tests go to the cache; those by which the harness configures its server don't.
const network = globalThis.fetch
const pending = new Map()
let last = 0
globalThis.fetch = (url, init = {}) => {
  if (!new URL(url).pathname.startsWith('/test/')) return network(url, init)
  const headers = (init.headers ?? []).map(([name, value]) => [name, String(value)])
  // As the standard of fetch asks of a browser.
  if (init.cache === 'no-cache' && !headers.some(([name]) => name.toLowerCase() === 'cache-control')) {
    headers.push(['Cache-Control', 'max-age=0'])
  }
  const id = ++last
  write({ id, url, method: init.method ?? 'GET', headers, body: init.body ?? null, follows: init.redirect !== 'manual' })
  return new Promise((resolve, reject) => pending.set(id, { resolve, reject }))
}

createInterface({ input: process.stdin }).on('line', line => {
  const answer = JSON.parse(line)
  const { resolve, reject } = pending.get(answer.id)
  pending.delete(answer.id)
  if (answer.error) return reject(new TypeError(answer.error))
  resolve({
    status: answer.status,
    statusText: answer.reason,
    headers: new Headers(answer.headers),
    text: async () => answer.body
  })
})

const { default: suites } = await load('tests/index.mjs')
const { runTests, getResults } = await load('test-engine/client/runner.mjs')
await runTests(suites, true, `http://127.0.0.1:${port}`, 50)
const results = getResults()
const tests = suites.flatMap(suite => suite.tests).filter(test => test.id in results)
write({
  results: tests.map(({ id, kind }) => ({
    id,
    kind: kind ?? 'required',
    failure: results[id] === true ? null : results[id].join(': ')
  }))
})
await rm(pidfile, { force: true })
process.stdin.destroy()
process.exitCode = 0
setTimeout(() => process.exit(), 100)
