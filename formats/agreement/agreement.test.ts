import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../text/value.ts'
import { namesOwnerTeams, toCanonical, toFormerCanonical } from './agreement.ts'

const INFO = { purpose: 'Reports' }
const PORT = { dataProductId: 'p', outputPortId: 'out' }

const DOCUMENTS: readonly (readonly [string, Value, boolean])[] = [
  ['no team', { info: INFO, provider: PORT, consumer: { dataProductId: 'c' } }, false],
  ['a consuming team', { info: INFO, provider: PORT, consumer: { teamId: 't' } }, false],
  [
    'members of decisions',
    {
      info: { ...INFO, status: 'requested', active: false },
      provider: { ...PORT, dataContractId: 'c', dataContractVersion: '1' },
      consumer: { userId: 'u' },
      provisioning: { status: 'provisioned' },
    },
    false,
  ],
  ['the provider', { provider: { ...PORT, teamId: 't' }, consumer: { userId: 'u' } }, true],
  [
    'the team of a product',
    { provider: PORT, consumer: { dataProductId: 'c', teamId: 't' } },
    true,
  ],
]

for (const [what, document, isNamed] of DOCUMENTS) {
  test(`namesOwnerTeams › ${isNamed} for ${what}; only then earlier versions had another text`, () => {
    assert.equal(namesOwnerTeams(document), isNamed)
    assert.equal(toFormerCanonical(document) !== toCanonical(document), isNamed)
  })
}
