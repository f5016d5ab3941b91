/** The Compose file, loaded by Compose with the file of variables that people copy. */

import assert from 'node:assert/strict'
import { accessSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { loadCompose } from './peers/manifests.ts'
import { onPeers } from './peers/peers.ts'

const ROOT = resolve(import.meta.dirname, '..')
const COMPOSE = join(ROOT, 'deploy/compose.yaml')

/** Loads the Compose file with these variables in the copied `.env.example`. */
async function load(t: TestContext, variables: Record<string, string>, profiles: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'portbook-compose-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const example = readFileSync(join(ROOT, 'deploy/.env.example'), 'utf8')
  const given = Object.entries(variables)
  const text = given.reduce(
    (all, [name, value]) => all.replace(new RegExp(`^#?${name}=.*$`, 'm'), `${name}=${value}`),
    example,
  )
  writeFileSync(join(folder, '.env'), text)
  return await loadCompose(COMPOSE, join(folder, '.env'), profiles)
}

onPeers(['deployment'], () => {
  describe('compose.yaml', () => {
    const service = z.looseObject({
      environment: z.record(z.string(), z.string().nullable()).default({}),
      volumes: z
        .array(z.looseObject({ type: z.string(), source: z.string().optional() }))
        .default([]),
    })
    const project = z.looseObject({ services: z.record(z.string(), service) })

    const secrets = { PORTBOOK_DATABASE_PASSWORD: 'abc', PORTBOOK_ENCRYPTION_KEY: 'def' }

    test('asks for the two secrets', async (t) => {
      const { error } = await load(t, {}, [])
      assert.match(error ?? '', /PORTBOOK_DATABASE_PASSWORD.*openssl rand -hex 24/)
      assert.match(error ?? '', /PORTBOOK_ENCRYPTION_KEY.*openssl rand -base64 32/)
    })

    test('passes on what .env sets, and nothing else', async (t) => {
      const smtp = { PORTBOOK_SMTP_URL: 'smtp://mail:587', PORTBOOK_SMTP_PASSWORD: "'a$b #c'" }
      const { output, error } = await load(t, { ...secrets, ...smtp }, [])
      assert.equal(error, undefined)
      const { services } = project.parse(output)
      assert.deepEqual(Object.keys(services).toSorted(), ['portbook', 'postgres'])
      const { environment = {} } = services['portbook'] ?? {}
      assert.equal(environment['DATABASE_URL'], 'postgres://portbook:abc@postgres:5432/portbook')
      assert.equal(environment['PORTBOOK_SMTP_URL'], 'smtp://mail:587')
      assert.equal(environment['PORTBOOK_SMTP_PASSWORD'], 'a$b #c')
      assert.equal(environment['PORTBOOK_MAIL_FROM'] ?? null, null)
    })

    test('mounts only files that exist, with and without monitoring', async (t) => {
      const { output, error } = await load(t, secrets, ['monitoring'])
      assert.equal(error, undefined)
      const { services } = project.parse(output)
      const names = ['grafana', 'portbook', 'postgres', 'prometheus']
      assert.deepEqual(Object.keys(services).toSorted(), names)
      const mounts = Object.values(services).flatMap(({ volumes }) =>
        volumes.flatMap(({ type, source = '' }) => (type === 'bind' ? [source] : [])),
      )
      assert.ok(mounts.length > 0)
      for (const source of mounts) accessSync(source)
    })
  })
})
