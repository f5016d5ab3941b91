/**
 * The endpoints of public specifications that a guide claims: each is served, or the guide lists it as absent. The
 * endpoints are those of `spec/OpenLineage.yml` of OpenLineage and of the specification of OTLP (section OTLP/HTTP).
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { api } from '../server/api.ts'
import { parseMediaType } from '../server/platform/kit/media-types.ts'
import { expectProblem } from './answers.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, type World } from './world.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../docs/guides/clients.md'), 'utf8')

const SECTION = GUIDE.slice(GUIDE.indexOf('## Public specifications'))

/** The endpoints of each specification, below the address that clients are given. */
const SPECIFICATIONS: Readonly<Record<string, { base: string; endpoints: readonly string[] }>> = {
  OpenLineage: { base: '/api/v1', endpoints: ['/lineage', '/lineage/batch'] },
  'OTLP/HTTP': {
    base: '/api',
    endpoints: ['/v1/traces', '/v1/metrics', '/v1/logs', '/v1development/profiles'],
  },
}

/** The spellings of media types that their registrations allow: RFC 8259 and RFC 9512. */
const SPELLINGS: readonly string[] = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; profile="a;b"; version=1',
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'TEXT/X-YAML; charset=UTF-8',
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const [name, { base, endpoints }] of Object.entries(SPECIFICATIONS)) {
    describe(name, () => {
      const row = SECTION.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? ''
      const [, , served = '', absent = ''] = row.split('|')

      for (const endpoint of endpoints) {
        const path = `${base}${endpoint}`
        const isServed = api.some((route) => route.method === 'POST' && route.path === path)
        test(`POST ${path} › ${isServed ? 'served' : 'absent'}, as the guide states`, async () => {
          assert.ok((isServed ? served : absent).includes(`\`POST ${path}\``), row)
          if (isServed) return
          const answer = world.as('O', 'POST', path, { body: {} })
          assert.equal((await expectProblem(answer, 404)).code, 'unknown_address')
        })
      }
    })
  }

  for (const { method, path, described } of api) {
    const { body } = described
    if (body === undefined) continue
    test(`${method} ${path} › takes every registered spelling of its media types`, async () => {
      for (const spelling of SPELLINGS) {
        const isOffered = body.mediaTypes.some((one) => one === parseMediaType(spelling).type)
        // The body is malformed, so that the request changes nothing.
        const answer = await world.as('O', method, path.replaceAll(/\{\w+\}/g, 'x'), {
          body: '{"',
          headers: { 'content-type': spelling },
        })
        assert.equal(answer.status === 415, !isOffered, `${spelling}: ${await answer.text()}`)
      }
    })
  }
})
