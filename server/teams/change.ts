import { getField, isObject, type Value } from '../../formats/text/value.ts'
import type { Change } from '../../formats/diff/level.ts'
import { meaningOfField } from '../../formats/team/team.ts'
import { TEAM_FORM_FIELDS } from '../../formats/team/team-type.ts'

// Changes of other fields are descriptive.
const POWERS: ReadonlySet<string> = new Set(
  TEAM_FORM_FIELDS.filter(({ decidesPermissions }) => decidesPermissions).map(({ name }) => name),
)

/** Returns the differences between two documents of a team, one for each field. */
export function diffTeams(before: Value, after: Value): Change[] {
  const names = new Set([...namesOf(before), ...namesOf(after)])
  return [...names]
    .toSorted()
    .flatMap((name) => changeOf(name, getField(before, name), getField(after, name)))
}

function changeOf(name: string, before: Value | undefined, after: Value | undefined): Change[] {
  const meaningOf = (value: Value | undefined): string | undefined =>
    value === undefined ? undefined : meaningOfField(name, value)
  if (meaningOf(before) === meaningOf(after)) return []
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const level = POWERS.has(name) ? 'additive' : 'wording'
  const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const message = `The ${name} of the team was ${kind}.`
  return [{ path, kind, level, before: before ?? null, after: after ?? null, message }]
}

function namesOf(value: Value): string[] {
  return isObject(value) ? Object.keys(value) : []
}
