import assert from 'node:assert/strict'
import test from 'node:test'
import { aboutContract } from './about-contract.ts'

test('aboutContract › ODCS: texts, links, and what no panel shows', () => {
  const about = aboutContract('odcs', {
    id: 'c',
    schema: [],
    description: { purpose: 'Why', usage: ' ', limitations: 'Not this' },
    authoritativeDefinitions: [{ type: 'wiki', url: 'https://wiki.example' }, { type: 'nothing' }],
    customProperties: [{ property: 'costs', value: 3 }],
    tenant: 'velmora',
    anything: { else: true },
  })
  assert.deepEqual(about.texts, [
    ['Purpose', 'Why'],
    ['Limitations', 'Not this'],
  ])
  assert.deepEqual(about.links, [{ title: 'wiki', href: 'https://wiki.example' }])
  assert.deepEqual(about.more, [
    ['Tenant', 'velmora'],
    ['anything', { else: true }],
  ])
})

test('aboutContract › DCS: the terms, and what is left of info and terms', () => {
  const about = aboutContract('dcs', {
    info: { title: 'T', owner: 'o', description: 'Why', contact: { name: 'E' } },
    terms: { usage: 'By day', policies: [], noticePeriod: 'P3M' },
    links: { docs: 'https://docs.example' },
  })
  assert.deepEqual(about.texts, [
    ['Purpose', 'Why'],
    ['Usage', 'By day'],
    ['Notice period', 'P3M'],
  ])
  assert.deepEqual(about.links, [{ title: 'docs', href: 'https://docs.example' }])
  assert.deepEqual(about.more, [
    ['Contact', { name: 'E' }],
    ['Policies', []],
  ])
})
