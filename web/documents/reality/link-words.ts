import { newTable } from '../../../formats/name/table.ts'
import { capitalize } from '../../parts/capitalize.ts'

const ORIGINS = newTable<string>({
  hand: 'A person chose this table.',
  port: 'An output port with this contract names this table.',
  location: 'The table is where the server of the contract points.',
})

/** Returns how a table was found, as a sentence. */
export function describeOrigin(origin: string): string {
  return ORIGINS[origin] ?? ''
}

const PARTS = newTable<string>({
  path: 'Name',
  address: 'Address',
  source: 'Source',
  scope: 'Schema',
  choice: 'Choice',
  server: 'Server',
  port: 'Output port',
})

/** Returns the title of a part of the decision. */
export function describeLinkPart(part: string): string {
  return PARTS[part] ?? capitalize(part.replaceAll('_', ' '))
}

const RULES = newTable<string>({
  equal: 'Equal',
  any_case: 'Equal except for upper and lower case',
  unknown: 'Compatible: one of them is not given',
  different: 'Different addresses',
  several: 'Several tables',
  candidate_only: 'Same location, which a person has to confirm',
  named: 'Named by the port',
  chosen: 'Chosen by a person',
  excluded: 'A person decided for no table',
  gone: 'The chosen table no longer exists',
  none: 'No source with this address',
  not_listed: 'The source has no such database',
  read: 'Read completely, without this table',
  never_read: 'The source has no good run yet',
  denied: 'The account of the source may not read it',
  filtered: 'Left out by the filters of the integration',
  hidden: 'The source may hide tables from its account',
  old: 'No good run in the last 14 days',
  not_applicable: 'Not a table',
  unplaced: 'The place is not given',
})

/** Returns the rule that decided about a part, in words. */
export function describeRule(rule: string): string {
  return RULES[rule] ?? capitalize(rule.replaceAll('_', ' '))
}

/** Returns a value of the decision as people write it: the parts of a name are a JSON list. */
export function formatLinkValue(text: string): string {
  if (!text.startsWith('[')) return text
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.map(String).join('.') : text
  } catch {
    return text
  }
}
