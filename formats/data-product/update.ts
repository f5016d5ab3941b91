// Updates an ODPS document to the newest version: `apiVersion`, and only what that version forbids.

import type { TextEdit } from '../text/edit/text-edit.ts'
import { getField, type Value } from '../text/value.ts'

/** Lists the edits that update a document to a version after v0.9.0; each of them preserves its meaning. */
export function listOdpsUpdates(value: Value, version: string): TextEdit[] {
  // In v0.9.0 team is the list of its members.
  const team = getField(value, 'team')
  return [
    { kind: 'set', path: ['apiVersion'], value: version },
    ...(Array.isArray(team)
      ? [{ kind: 'set' as const, path: ['team'], value: { members: team } }]
      : []),
  ]
}
