import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate } from './negotiation.ts'

const OFFERS = ['application/json', 'application/yaml', 'application/vnd.x+json'] as const

const CASES: readonly [accept: string | null, chosen: (typeof OFFERS)[number]][] = [
  [null, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*;q=1, */*', 'application/json'],
  ['text/html, application/problem+json', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['APPLICATION/X-YAML ; Q=0.4', 'application/yaml'],
  ['application/json, application/yaml', 'application/yaml'],
  ['application/json, application/yaml;q=0.9', 'application/json'],
  ['application/yaml;q=0, */*', 'application/json'],
  ['application/yaml;q=x', 'application/json'],
  ['application/yaml;q=0.1, application/x-yaml;q=0.8, application/json;q=0.5', 'application/yaml'],
  ['application/vnd.x+json', 'application/vnd.x+json'],
  ['application/json, application/yaml, application/vnd.x+json', 'application/vnd.x+json'],
  ['application/yaml, application/vnd.x+json;q=0.2', 'application/yaml'],
  ['application/vnd.x+jsonl', 'application/json'],
  ['__proto__, constructor', 'application/json'],
]

for (const [accept, chosen] of CASES) {
  test(`negotiate › ${accept ?? 'no header'}: ${chosen}`, () => {
    assert.equal(negotiate(accept, OFFERS), chosen)
  })
}
