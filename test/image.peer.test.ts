/** The image: built from the package by its Dockerfile, and run as container platforms run it. */

import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { pack } from '../scripts/pack.ts'
import { buildImage, type Image } from './containers.ts'
import { onPeers } from './peers/peers.ts'
import { newStorePlace } from './stores.ts'

const ROOT = resolve(import.meta.dirname, '..')
// The image has 300 MB: too much for a temporary folder in memory.
const scratch = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'portbook-image-'))
const OWNER = {
  PORTBOOK_ORGANIZATION: 'Velmora',
  PORTBOOK_OWNER_EMAIL: 'ada@velmora.example',
  PORTBOOK_OWNER_PASSWORD: 'a long pass phrase',
  PORTBOOK_API_KEY_FILE: '/data/api-key',
}
const team = { id: 'fleet', name: 'Fleet', type: 'Domain Team' }

let image: Image

/** Creates the folder of a volume, which belongs to the user of the image unless `owner` is another one. */
function newVolume(owner: number): string {
  const folder = mkdtempSync(join(scratch, 'data-'))
  chownSync(folder, owner, owner)
  return folder
}

/** Starts a container that serves; returns its address. */
async function serve(options: Parameters<Image['start']>[0]) {
  const environment = { ...options.environment, PORT: '0' }
  const container = await image.start({ ...options, environment })
  const line = await container.waitForLine(/listening on/)
  const url = /http:\/\/\S+/.exec(line)?.[0] ?? ''
  return { ...container, pid: container.pid, url }
}

/** Stops a container as Docker does; returns its exit code, 1 if stopping took too long. */
async function stop({ pid, ended }: Awaited<ReturnType<typeof serve>>): Promise<number | null> {
  process.kill(pid, image.config.StopSignal)
  return (await ended).code
}

function sendTeam(url: string, key: string): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return fetch(`${url}/api/teams/fleet`, { method: 'PUT', headers, body: JSON.stringify(team) })
}

const isRoot = process.getuid?.() === 0

onPeers(['image-base'], () => {
  describe('the image', { skip: isRoot ? false : 'only root may start containers' }, () => {
    const volume = newVolume(1000)
    let key = ''

    before(async () => {
      const context = mkdtempSync(join(scratch, 'context-'))
      await pack({ target: context })
      image = await buildImage(context, scratch)
    })

    after(async () => {
      await image?.remove()
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
    })

    test('describes itself, its user, its volume and its health', () => {
      const { config } = image
      assert.equal(config.User, '1000:1000')
      assert.deepEqual(Object.keys(config.Volumes), ['/data'])
      assert.equal(config.StopSignal, 'SIGTERM')
      assert.equal(config.Labels['org.opencontainers.image.version'], '0.0.1')
      assert.equal(config.Labels['org.opencontainers.image.licenses'], 'Apache-2.0')
      assert.match(config.Healthcheck.Test.join(' '), /^CMD node -e .*\/healthz/)
    })

    test('has the Node with which the package was tested, and its licenses', async () => {
      const { devDependencies } = z
        .object({ devDependencies: z.record(z.string(), z.string()) })
        .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
      const script = `node --version; ls /portbook/node_modules/portbook; ls /portbook/node_modules/tedious/package.json`
      const shell = await image.start({ data: volume, command: ['sh', '-c', script] })
      const { code, output } = await shell.ended
      assert.equal(code, 0, output)
      const [version, ...files] = output.trim().split('\n')
      assert.equal(version, `v${devDependencies['node']}`)
      for (const name of ['LICENSE', 'THIRD-PARTY.md']) assert.ok(files.includes(name), name)
    })

    test('is tested without capabilities, on a read-only root file system', async () => {
      const script = `touch /portbook/x || grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; echo $$`
      const { output } = await (
        await image.start({ data: volume, command: ['sh', '-c', script] })
      ).ended
      assert.match(output, /Read-only file system/)
      assert.match(output, /CapEff:\t0+\n/)
      assert.match(output, /NoNewPrivs:\t1/)
      assert.match(output, /^1$/m)
    })

    test('serves with its own PostgreSQL, answers its health check, and ends on SIGTERM', async () => {
      const server = await serve({ data: volume, environment: OWNER })
      key = readFileSync(join(volume, 'api-key'), 'utf8').trim()
      assert.equal((await sendTeam(server.url, key)).status, 200)
      const ready = await fetch(`${server.url}/readyz?for=writes`)
      assert.deepEqual(
        [ready.status, await ready.json()],
        [200, { status: 'ready', writable: true }],
      )
      const [, ...command] = image.config.Healthcheck.Test
      const { port } = new URL(server.url)
      const check = await image.start({ data: volume, command, environment: { PORT: port } })
      assert.equal((await check.ended).code, 0)
      assert.equal(await stop(server), 0)
      const missed = await image.start({ data: volume, command, environment: { PORT: port } })
      assert.equal((await missed.ended).code, 1)
    })

    test('continues with what another container left in the volume', async () => {
      const server = await serve({ data: volume })
      const answer = await fetch(`${server.url}/api/teams/fleet`, { headers: { 'x-api-key': key } })
      assert.deepEqual([answer.status, await answer.json()], [200, team])
      // `docker exec`: a second process, on the PostgreSQL of the first one.
      const command = ['portbook', 'send-test-mail', 'ada@velmora.example']
      const { code, output } = await (await image.start({ data: volume, command })).ended
      assert.equal(code, 1)
      assert.match(output, /PORTBOOK_SMTP_URL/)
      assert.equal(await stop(server), 0)
    })

    test('runs as any user, and writes nothing, with another PostgreSQL', async () => {
      const place = await newStorePlace()
      const { DATABASE_URL = '', PORTBOOK_ENCRYPTION_KEY = '' } = place.environment
      const data = newVolume(0)
      const environment = { DATABASE_URL, PORTBOOK_ENCRYPTION_KEY }
      const server = await serve({ data, user: '12345:0', environment })
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
      assert.equal(await stop(server), 0)
      await place.remove()
    })
  })
})
