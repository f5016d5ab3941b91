import { hash } from 'node:crypto'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import type { ReportedCheck } from '../../../formats/reality/check-read.ts'
import { keyChecks, readDefinition, type KeyedCheck } from '../../../formats/reality/checks.ts'
import { listRules, type ContractRule, type RuleMembers } from '../../../formats/reality/rules.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'

/** A stored contract, as JSON. */
interface StoredContract {
  id: string
  document: string
}

/** Reads the quality rules of a stored contract; none if it cannot be read. */
export const readRules: Task<StoredContract, readonly ContractRule[]> = {
  name: 'test-result/readRules',
  run({ id, document }) {
    const source = readStored({ document, mediaType: 'application/json' })
    const reading = readDataContract(source, { id, strict: false, isAccepted: true })
    return reading.ok ? listRules(reading.contract, reading.value, toDigest) : []
  },
}

/** Reads the definitions of rules, texts of YAML. */
export const readDefinitions: Task<readonly string[], readonly RuleMembers[]> = {
  name: 'test-result/readDefinitions',
  run: (texts) => texts.map(readDefinition),
}

/** The checks of a result, and the rules of its contract. */
interface KeyInput {
  checks: readonly ReportedCheck[]
  rules: readonly ContractRule[]
  definitions: readonly (readonly [text: string, members: RuleMembers])[]
  isCurrent: boolean
}

/** Attributes the checks of a result to the rules of its contract. */
export const keyResultChecks: Task<KeyInput, KeyedCheck[]> = {
  name: 'test-result/keyChecks',
  run: ({ checks, rules, definitions, isCurrent }) =>
    keyChecks(checks, rules, { isCurrent, definitions: new Map(definitions), digest: toDigest }),
}

function toDigest(text: string): string {
  return hash('sha256', text).slice(0, 32)
}
