// Replaces the members that the catalog decides in an access agreement (OAAS) that was sent; everything else stays as it
// was written.

import type { AgreementTerms } from '../../agreement/agreement.ts'
import { editTextAtOnce, editValue, type TextEdit } from '../../text/edit/text-edit.ts'
import { jsonText, toFileText, type SourceText } from '../../text/text.ts'
import { asText, getField, valueAt } from '../../text/value.ts'
import type { Path, Value } from '../../text/value.ts'
import { yamlText } from '../../text/yaml-write.ts'
import {
  isSameList,
  listItems,
  OAAS_SHAPE,
  PROPERTIES,
  readDay,
  STATE_PROPERTY,
  toRoles,
  writeDay,
} from './document.ts'
import { toOaasStatus, toStateProperty, type OaasMembers } from './write.ts'

/** An updated text. */
interface UpdatedText {
  text: string
  /** Whether the members could be replaced in place; otherwise the whole document was written again. */
  isInPlace: boolean
}

/** Returns the text of an access agreement with the members of the catalog; the text as it was sent if they agree. */
export function updateOaas(source: SourceText, members: OaasMembers): UpdatedText {
  const edits = listEdits(source.value, members)
  if (edits.length === 0) return { text: toFileText(source), isInPlace: true }
  const edited = editTextAtOnce(source.text, source.mediaType, edits)
  if (edited.ok) return { text: toFileText({ ...source, text: edited.text }), isInPlace: true }
  const value = applyEdits(source, edits)
  const text = source.mediaType === 'application/json' ? jsonText(value) : yamlText(value)
  return { text, isInPlace: false }
}

/** Returns the values of an access agreement with the members of the catalog, for answers in another notation. */
export function updateOaasValue(source: SourceText, members: OaasMembers): Value {
  return applyEdits(source, listEdits(source.value, members))
}

function applyEdits(source: SourceText, edits: readonly TextEdit[]): Value {
  return edits.reduce((before, edit) => editValue(before, edit), source.spelled())
}

const ORDER = [...OAAS_SHAPE.fields.keys()]

// A contract or a team that a document does not state cannot differ.
function listEdits(document: Value, members: OaasMembers): TextEdit[] {
  const { terms, providerTeam, consumerTeam, contractId, contractVersion } = members
  const stated = (path: Path, value: string | null): TextEdit[] =>
    valueAt(document, path) === undefined ? [] : replaceText(document, path, value)
  return [
    ...replaceText(document, ['status'], toOaasStatus(members)),
    ...listDayEdits(document, terms),
    ...replaceText(document, ['provider', 'teamId'], providerTeam),
    ...stated(['provider', 'dataContractId'], contractId),
    ...stated(['provider', 'dataContractVersion'], contractVersion),
    ...(valueAt(document, ['consumer', 'dataProductId']) === undefined || consumerTeam === null
      ? []
      : replaceText(document, ['consumer', 'teamId'], consumerTeam)),
    ...listRoleEdits(document, terms),
    ...listStateEdits(document, members),
  ]
}

function replaceText(document: Value, path: Path, value: string | null): TextEdit[] {
  const before = valueAt(document, path) ?? null
  if (before === value) return []
  return value === null ? [{ kind: 'remove', path }] : [{ kind: 'set', path, value, order: ORDER }]
}

function listDayEdits(document: Value, terms: AgreementTerms): TextEdit[] {
  const days = [
    ['startTimestamp', terms.startOn],
    ['endTimestamp', terms.endOn],
    ['nextReassessmentTimestamp', terms.reassessOn],
  ] as const
  return days.flatMap(([field, day]) => {
    const text = asText(getField(document, field))
    const before = text === undefined ? undefined : readDay(text, field === 'endTimestamp')
    if ((before?.day ?? null) === day) return []
    return replaceText(document, [field], day === null ? null : writeDay(day))
  })
}

function listRoleEdits(document: Value, { roles }: AgreementTerms): TextEdit[] {
  const sent = listItems(getField(document, 'roles'))
  const names = sent.map((item) => getField(item, 'role') ?? null)
  if (isSameList(names, roles)) return []
  if (roles.length === 0) return [{ kind: 'remove', path: ['roles'] }]
  return [{ kind: 'set', path: ['roles'], value: toRoles(roles, sent), order: ORDER }]
}

function listStateEdits(document: Value, { isCanceled }: OaasMembers): TextEdit[] {
  const items = listItems(getField(document, PROPERTIES.field))
  const others = items.filter((item) => getField(item, PROPERTIES.name) !== STATE_PROPERTY)
  const wanted = isCanceled ? [...others, toStateProperty()] : others
  const path = [PROPERTIES.field]
  if (others.length === items.length) {
    return isCanceled ? [{ kind: 'add', path, value: toStateProperty(), order: ORDER }] : []
  }
  const [only, ...more] = items.filter((item) => !others.includes(item))
  if (isCanceled && more.length === 0 && getField(only, 'value') === 'canceled') return []
  if (wanted.length === 0) return [{ kind: 'remove', path }]
  return [{ kind: 'set', path, value: [...wanted], order: ORDER }]
}
