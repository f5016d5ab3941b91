// Compares two .proto texts outside their messages.

import { type Declaration, readDeclarations } from '../schema/protobuf/declarations.ts'
import type { Value } from '../text/value.ts'
import type { Change } from './level.ts'
import { UNANALYZED } from './traits.ts'

/** A change of a declaration; the caller adds its path. */
type DeclarationChange = Omit<Change, 'path'>

const REASONS: { readonly [kind in Declaration['kind']]: string } = {
  package: 'the full names of all messages change',
  import: UNANALYZED,
  service: 'its callers fail',
  method: 'its callers fail',
  enum: 'consumers use its values',
  extension: 'its readers find nothing or a different value',
  options: UNANALYZED,
}

/** Lists the changes between two .proto texts outside their messages; removing or changing a declaration is breaking. */
export function compareDeclarations(before: Value, after: Value): DeclarationChange[] {
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const [older, newer] = [readDeclarations(before), readDeclarations(after)]
  const changes: DeclarationChange[] = []
  for (const one of older.values()) {
    const other = newer.get(one.label)
    if (one.isModelled || one.definition === other?.definition) continue
    const kind = other === undefined ? 'removed' : 'changed'
    // A changed package is already reported as the namespace of the models.
    if (one.kind === 'package') continue
    changes.push({
      kind,
      level: 'breaking',
      before: describe(one),
      after: other === undefined ? null : describe(other),
      message: describeChange(one, kind),
    })
  }
  for (const one of newer.values()) {
    if (older.has(one.label) || one.isModelled) continue
    const isFree = one.kind !== 'package' && one.kind !== 'options'
    changes.push({
      kind: 'added',
      level: isFree ? 'additive' : 'breaking',
      before: null,
      after: describe(one),
      message: isFree ? `${one.label} was added.` : describeChange(one, 'added'),
    })
  }
  return changes
}

function describe({ kind, label, definition }: Declaration): string {
  return kind === 'package' ? definition : label
}

function describeChange(
  { kind, label }: Declaration,
  change: 'added' | 'removed' | 'changed',
): string {
  const reason = REASONS[kind]
  if (reason === UNANALYZED) return `${label} ${UNANALYZED}.`
  const verb = change === 'changed' ? 'changed' : `was ${change}`
  return `${label} ${verb}; ${reason}.`
}
