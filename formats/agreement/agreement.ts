// An access agreement lets a consumer read the data of an output port: a person, a team or another data product, for a
// purpose and a period. The document has the terms that were requested. The catalog adds its decisions in members that
// clients only read.

import { checkId, listTexts, nonBlankText } from '../data-product/fields.ts'
import { findIdProblem } from '../name/document-id.ts'
import { canonicalText } from '../shape/canonical.ts'
import { withoutNulls } from '../shape/nulls.ts'
import { readDocument } from '../shape/read-document.ts'
import { any, flag, list, map, object, set, text } from '../shape/shape.ts'
import type { Notes, Problem } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { asText, formatPath, getField, isObject, valueAt } from '../text/value.ts'
import type { ObjectValue, Path, Value } from '../text/value.ts'

/** The maximum size of an agreement in bytes. */
export const AGREEMENT_BYTES_MAX = 64 * 1024

/** The maximum number of values in an agreement. */
export const AGREEMENT_NODES_MAX = 5000

/** The maximum length of a purpose in characters. */
export const PURPOSE_CHARACTERS_MAX = 4000

/** The maximum number of roles, and the maximum length of each. */
export const ROLES_MAX = 50
export const ROLE_CHARACTERS_MAX = 256

/** The kinds of consumers. */
export const CONSUMER_TYPES = ['team', 'user', 'dataproduct'] as const

/** The fields of an agreement. Those of the catalog are accepted and ignored: clients send back what they have read. */
export const AGREEMENT_SHAPE = object({
  fields: {
    id: text(),
    info: object({
      fields: {
        purpose: text(),
        individualAgreements: text(),
        status: text(),
        active: flag,
        startDate: text({ format: 'date' }),
        endDate: text({ format: 'date' }),
        nextReassessmentDate: text({ format: 'date' }),
      },
      required: ['purpose'],
    }),
    provider: object({
      fields: {
        dataProductId: text(),
        outputPortId: text(),
        teamId: text(),
        dataContractId: text(),
        dataContractVersion: text(),
      },
      required: ['dataProductId', 'outputPortId'],
    }),
    consumer: object({ fields: { dataProductId: text(), teamId: text(), userId: text() } }),
    roles: list(text(), { itemsMax: ROLES_MAX }),
    tags: set(text()),
    links: map(any),
    custom: map(any),
    provisioning: any,
  },
  required: ['info', 'provider', 'consumer'],
})

/** The terms that requests propose and decisions may change. */
export interface AgreementTerms {
  /** The first day, `YYYY-MM-DD`; null = from the decision on. */
  startOn: string | null
  /** The first day after the agreement, `YYYY-MM-DD`; null = without an end. */
  endOn: string | null
  /** The day on which the owner should look at it again, `YYYY-MM-DD`; null = none. */
  reassessOn: string | null
  roles: readonly string[]
}

/** The consumer that a document names. */
interface SentConsumer {
  type: (typeof CONSUMER_TYPES)[number]
  teamId: string | null
  userId: string | null
  productId: string | null
}

/** An agreement as its document describes it. */
export interface SentAgreement {
  purpose: string
  productId: string
  /** The name or the id of the output port. */
  port: string
  consumer: SentConsumer
  terms: AgreementTerms
}

/** An agreement that was read, or all its problems, sorted by field. */
type AgreementReading =
  | { ok: true; agreement: SentAgreement; value: Value; canonical: string }
  | { ok: false; problems: readonly Problem[] }

const TERM_FIELDS = { startOn: 'startDate', endOn: 'endDate', reassessOn: 'nextReassessmentDate' }

/** Reads an agreement. `id` is the id under which it is stored. Null and placeholders count as absent. Never throws. */
export function readAgreement(source: SourceText, id: string): AgreementReading {
  const value = withoutPlaceholders(withoutNulls(source.value, AGREEMENT_SHAPE))
  const document = readDocument({ ...source, value }, { id, strict: true }, (notes) => ({
    shape: AGREEMENT_SHAPE,
    read: () => {
      checkId(asText(getField(value, 'id')), ['id'], id, notes)
      return readFields(value, notes)
    },
  }))
  if (!document.ok) return document
  return {
    ok: true,
    agreement: document.content,
    value,
    canonical: toCanonical(value),
  }
}

/** Returns the text by which agreements of the same terms are recognized: members of the catalog do not count. */
export function toCanonical(value: Value): string {
  return canonicalText(withoutCatalogMembers(value), AGREEMENT_SHAPE)
}

/**
 * Returns the canonical text of versions 0.1 and earlier, in which the teams that clients sent counted. It is the present
 * one if a document that was read names none.
 */
export function toFormerCanonical(value: Value): string {
  return canonicalText(withoutDecisions(value), AGREEMENT_SHAPE)
}

/** Returns whether a document names teams that own its data products, which the catalog decides. */
export function namesOwnerTeams(value: Value): boolean {
  const consumer = toObject(getField(value, 'consumer'))
  const parties = [getField(value, 'provider'), ...(isDataProduct(consumer) ? [consumer] : [])]
  return parties.some((party) => getField(party, 'teamId') !== undefined)
}

function readFields(value: Value, notes: Notes): SentAgreement {
  const purpose = requireText(value, ['info', 'purpose'], 'name the use of the data', notes)
  if (Array.from(purpose).length > PURPOSE_CHARACTERS_MAX) {
    notes.error(['info', 'purpose'], `A purpose has at most ${PURPOSE_CHARACTERS_MAX} characters.`)
  }
  const terms = readTerms(value)
  checkTerms(terms, notes)
  return {
    purpose,
    productId: requireId(value, ['provider', 'dataProductId'], 'give the data product', notes),
    port: requireText(value, ['provider', 'outputPortId'], 'give the output port', notes),
    consumer: readConsumer(value, notes),
    terms,
  }
}

/** Reads the terms of a document. */
export function readTerms(value: Value): AgreementTerms {
  const readDate = (name: string): string | null =>
    nonBlankText(valueAt(value, ['info', name])) ?? null
  return {
    startOn: readDate(TERM_FIELDS.startOn),
    endOn: readDate(TERM_FIELDS.endOn),
    reassessOn: readDate(TERM_FIELDS.reassessOn),
    roles: listTexts(getField(value, 'roles')),
  }
}

function checkTerms({ startOn, endOn, reassessOn, roles }: AgreementTerms, notes: Notes): void {
  // PostgreSQL has no year 0.
  for (const [date, name] of [
    [startOn, TERM_FIELDS.startOn],
    [endOn, TERM_FIELDS.endOn],
    [reassessOn, TERM_FIELDS.reassessOn],
  ] as const) {
    if (date?.startsWith('0000') === true) notes.error(['info', name], 'Dates begin with year 1.')
  }
  if (startOn !== null && endOn !== null && endOn < startOn) {
    notes.error(['info', TERM_FIELDS.endOn], `The agreement ends before it begins on ${startOn}.`)
  }
  roles.forEach((role, at) => {
    if (role.length > ROLE_CHARACTERS_MAX) {
      notes.error(['roles', at], `A role has at most ${ROLE_CHARACTERS_MAX} characters.`)
    }
  })
}

function readConsumer(value: Value, notes: Notes): SentConsumer {
  const read = (name: string): string | null =>
    nonBlankText(valueAt(value, ['consumer', name])) ?? null
  const [productId, teamId, userId] = [read('dataProductId'), read('teamId'), read('userId')]
  // The catalog decides the team of a data product.
  for (const name of [productId === null ? 'teamId' : 'dataProductId'] as const) {
    const problem = findIdProblem(read(name) ?? 'none')
    if (problem !== undefined) notes.error(['consumer', name], `This id ${problem}.`)
  }
  if (userId !== null && (teamId !== null || productId !== null)) {
    notes.error(['consumer'], 'A consumer is a user, a team or a data product; keep one of them.')
  }
  if (productId === null && teamId === null && userId === null) {
    notes.error(
      ['consumer'],
      'The consumer is missing; give a userId, a teamId or a dataProductId.',
    )
  }
  const type = productId !== null ? 'dataproduct' : teamId !== null ? 'team' : 'user'
  return { type, teamId, userId, productId }
}

function requireText(value: Value, path: Path, advice: string, notes: Notes): string {
  const found = valueAt(value, path)
  const content = nonBlankText(found)
  if (content === undefined && (found === undefined || typeof found === 'string')) {
    notes.error(path, `This field is missing or blank; ${advice}.`)
  }
  return content ?? ''
}

function requireId(value: Value, path: Path, advice: string, notes: Notes): string {
  const id = requireText(value, path, advice, notes)
  const problem = id === '' ? undefined : findIdProblem(id)
  if (problem !== undefined) notes.error(path, `The id in ${formatPath(path)} ${problem}.`)
  return id
}

/** The members that the catalog adds to an agreement; null = the member is absent. */
export interface CatalogMembers {
  status: string
  active: boolean
  /** External id of the team that owns the providing data product. */
  providerTeam: string
  /** External id of the team that owns the consuming data product; only read for such a consumer. */
  consumerTeam: string | null
  contractId: string | null
  contractVersion: string | null
  terms: AgreementTerms
}

/**
 * Returns an agreement as clients see it: as it was sent, with the members of the catalog, and with the dates and roles
 * that decisions have changed.
 */
export function withCatalogMembers(value: Value, members: CatalogMembers): Value {
  const { status, active, providerTeam, consumerTeam, contractId, contractVersion, terms } = members
  const sent = toObject(withTerms(withoutCatalogMembers(value), terms))
  const contract = {
    ...(contractId === null ? {} : { dataContractId: contractId }),
    ...(contractVersion === null ? {} : { dataContractVersion: contractVersion }),
  }
  const consumer = toObject(getField(sent, 'consumer'))
  const team = isDataProduct(consumer) && consumerTeam !== null ? { teamId: consumerTeam } : {}
  return replaceMembers(sent, {
    info: { ...toObject(getField(sent, 'info')), status, active },
    provider: { ...toObject(getField(sent, 'provider')), teamId: providerTeam, ...contract },
    consumer: { ...consumer, ...team },
  })
}

/** Returns a document whose terms are those in effect. Terms that it has already keep their notation. */
export function withTerms(value: Value, terms: AgreementTerms): Value {
  const sent = readTerms(value)
  let info = toObject(getField(value, 'info'))
  for (const term of ['startOn', 'endOn', 'reassessOn'] as const) {
    if (sent[term] !== terms[term]) info = setMember(info, TERM_FIELDS[term], terms[term])
  }
  const changed = replaceMembers(toObject(value), { info })
  if (JSON.stringify(sent.roles) === JSON.stringify(terms.roles)) return changed
  return setMember(changed, 'roles', terms.roles.length === 0 ? null : [...terms.roles])
}

/** Returns an agreement without the members that the catalog adds: connectors send back what they have read. */
function withoutCatalogMembers(value: Value): ObjectValue {
  return withoutTeams(withoutDecisions(withoutPlaceholders(value)))
}

/** The consumers of a document, of which other catalogs fill those that it does not have with `unknown`. */
const CONSUMER_FIELDS = ['dataProductId', 'teamId', 'userId', 'agentId']
const PLACEHOLDER = 'unknown'

// A team that has this id can still be the only consumer.
function withoutPlaceholders(value: Value): Value {
  const consumer = getField(value, 'consumer')
  if (!isObject(value) || !isObject(consumer)) return value
  const [named, unnamed] = [true, false].map((isNamed) =>
    CONSUMER_FIELDS.filter((name) => {
      const text = nonBlankText(getField(consumer, name))
      return text !== undefined && (text !== PLACEHOLDER) === isNamed
    }),
  )
  if (named?.length === 0 || unnamed === undefined || unnamed.length === 0) return value
  return replaceMembers(value, { consumer: omit(consumer, unnamed) })
}

/** Returns an agreement without the teams that own its data products. */
export function withoutTeams(document: ObjectValue): ObjectValue {
  const consumer = toObject(getField(document, 'consumer'))
  return replaceMembers(document, {
    provider: omit(toObject(getField(document, 'provider')), ['teamId']),
    consumer: isDataProduct(consumer) ? omit(consumer, ['teamId']) : consumer,
  })
}

function isDataProduct(consumer: ObjectValue): boolean {
  return nonBlankText(getField(consumer, 'dataProductId')) !== undefined
}

function withoutDecisions(value: Value): ObjectValue {
  const document = toObject(value)
  return replaceMembers(omit(document, ['provisioning']), {
    info: omit(toObject(getField(document, 'info')), ['status', 'active']),
    provider: omit(toObject(getField(document, 'provider')), [
      'dataContractId',
      'dataContractVersion',
    ]),
  })
}

function toObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {}
}

function omit(value: ObjectValue, names: readonly string[]): ObjectValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

// Keeps the place of the members that exist.
function replaceMembers(value: ObjectValue, members: ObjectValue): ObjectValue {
  const added = Object.entries(members).filter(([name]) => !Object.hasOwn(value, name))
  const kept = Object.entries(value).map(([name, member]) => [
    name,
    Object.hasOwn(members, name) ? (members[name] ?? null) : member,
  ])
  return Object.fromEntries([...kept, ...added])
}

function setMember(value: ObjectValue, name: string, member: Value): ObjectValue {
  return member === null ? omit(value, [name]) : replaceMembers(value, { [name]: member })
}
