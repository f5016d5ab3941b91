/** The files of `deploy/`: every setting is in all of them, and what they repeat is what its source states. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { DEPLOY, makeDeploymentFiles, readDeploymentSources } from '../scripts/deployment-files.ts'
import { listSettings } from '../scripts/settings-table.ts'
import { SECRETS, SETTINGS } from '../server/platform/settings.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const README = new Set(listSettings(read('README.md')).map(({ name }) => name))
/** The settings of the SDK for traces, which reads them itself. */
const OF_TRACES = /^OTEL_/

/** Lists what is in one set only, as the failure names it. */
function compare(name: string, actual: Iterable<string>, expected: Iterable<string>): string[] {
  const [here, there] = [new Set(actual), new Set(expected)]
  return [
    ...[...there].filter((each) => !here.has(each)).map((each) => `${name} lacks ${each}`),
    ...[...here].filter((each) => !there.has(each)).map((each) => `only ${name} has ${each}`),
  ]
}

const names = z.record(z.string(), z.unknown()).transform((object) => Object.keys(object))

/** Lists the settings of the chart: those of its users, the secret ones, and those that it sets itself. */
function readChart(): { settings: string[]; secrets: string[]; own: string[] } {
  const { properties } = z
    .object({
      properties: z.object({
        settings: z.object({ properties: names }),
        secrets: z.object({ properties: names }),
      }),
    })
    .parse(JSON.parse(read('deploy/chart/values.schema.json')))
  const helpers = read('deploy/chart/templates/_helpers.tpl')
  return {
    settings: properties.settings.properties,
    secrets: properties.secrets.properties,
    own: [...helpers.matchAll(/^- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name),
  }
}

test('README lists every setting that the server reads', () => {
  const own = [...README].filter((name) => !OF_TRACES.test(name))
  assert.deepEqual(compare('README', own, SETTINGS), [])
})

test('compose.yaml passes on every setting of README', () => {
  const { services } = z
    .object({ services: z.object({ portbook: z.object({ environment: names }) }) })
    .parse(parse(read('deploy/compose.yaml')))
  assert.deepEqual(compare('compose.yaml', services.portbook.environment, README), [])
})

test('the chart can give every setting of README, each in one way', () => {
  const { settings, secrets, own } = readChart()
  const all = [...settings, ...secrets, ...own]
  // The database of the chart is never Portbook's own.
  assert.deepEqual(compare('the chart', [...all, 'PORTBOOK_POSTGRES_BIN'], README), [])
  assert.equal(new Set(all).size, all.length)
})

test('the chart takes every secret by reference', () => {
  const secrets = readChart().secrets.filter((name) => !OF_TRACES.test(name))
  assert.deepEqual(compare('the chart', secrets, SECRETS), [])
})

test('the files that follow from others are current', () => {
  for (const [path, text] of makeDeploymentFiles(readDeploymentSources(ROOT))) {
    assert.equal(read(join(DEPLOY, path)), text, `run \`npm run deployment\`: ${path}`)
  }
})

test('.env.example names every variable of compose.yaml', () => {
  const compose = read('deploy/compose.yaml')
  const variables = [...compose.matchAll(/\$\{([A-Z_]+)|^ {6}((?:PORTBOOK|OTEL)_\w+):$/gm)]
  const example = [...read('deploy/.env.example').matchAll(/^#?([A-Z_]+)=/gm)]
  const asked = variables.map(([, name, passed]) => name ?? passed ?? '')
  const given = example.map(([, name = '']) => name)
  assert.deepEqual(compare('.env.example', given, asked), [])
  assert.equal(new Set(given).size, given.length)
})

test('the image has the memory settings of the package', () => {
  const dockerfile = read('deploy/Dockerfile')
  const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? ''
  const environment = new Map(
    block.split(/\\\n/).map((line) => line.trim().split(/=(.*)/, 2) as [string, string]),
  )
  const { MEMORY_SETTINGS } = z
    .object({ MEMORY_SETTINGS: z.record(z.string(), z.string()) })
    .parse(createRequire(import.meta.url)('../bin/launch.cjs'))
  for (const [name, value] of Object.entries(MEMORY_SETTINGS)) {
    assert.equal(environment.get(name), value, name)
  }
})
