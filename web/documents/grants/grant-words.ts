import { newTable } from '../../../formats/name/table.ts'
import type { Schemas } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'

/** A deviation of grants from agreements. */
export type AccessFinding = Schemas['AccessFinding']

/** The settings of an integration's grants. */
export type GrantSettings = Schemas['IntegrationGrantSettings']

/** A name of the platform with its meaning. */
export type MappedName = NonNullable<GrantSettings['names']>[number]

/** The rights of a grantee on the tables of an output port. */
type Rights = Pick<
  AccessFinding,
  'tableCount' | 'via' | 'writes' | 'hasGrantOption' | 'isContainerWide' | 'isColumnsOnly'
>

const KINDS: Readonly<Record<AccessFinding['kind'], string>> = {
  granted_without_agreement: 'Granted without an agreement',
  agreement_without_grant: 'Agreed, but not granted',
  still_granted: 'Still granted after the end',
  wider_than_agreed: 'More than agreed',
}

/** Returns the kind of a deviation in words. */
export function getKindTitle(kind: AccessFinding['kind']): string {
  return KINDS[kind]
}

const GRANTEES = newTable<string>({
  user: 'User',
  role: 'Role',
  group: 'Group',
  public: 'Everyone',
})

/** Returns the kind of a name of the platform in words. */
export function getGranteeTitle(kind: string): string {
  return GRANTEES[kind] ?? kind
}

/** Returns the accessible name of a deviation: `Still granted after the end, output port orders`. */
export function nameAccessFinding({
  kind,
  outputPortId,
}: Pick<AccessFinding, 'kind' | 'outputPortId'>): string {
  return `${getKindTitle(kind)}, output port ${outputPortId}`
}

/** Describes rights on the tables of an output port, in sentences: `Reads 2 tables. By the role sales.` */
export function describeRights({
  tableCount,
  via,
  writes,
  hasGrantOption,
  isContainerWide,
  isColumnsOnly,
}: Rights): string {
  const parts = [
    tableCount > 0 &&
      `Reads ${isColumnsOnly ? 'some columns of ' : ''}${countText(tableCount, 'table')}`,
    via !== null && `By the role ${via}`,
    isContainerWide && 'On the whole schema, database or server',
    writes.length > 0 && `Can write: ${writes.join(', ')}`,
    hasGrantOption && 'Can pass the grant on',
  ].filter((part) => part !== false)
  return parts.map((part) => `${part}.`).join(' ')
}

/** The kinds of subjects that a name can be mapped to, with their titles. */
export const SUBJECTS = [
  { value: 'team', label: 'Team' },
  { value: 'data-product', label: 'Data product' },
  { value: 'user', label: 'Person' },
  { value: 'agreement', label: 'Access agreement' },
  {
    value: 'platform',
    label: 'The platform itself',
    hint: 'A service account or an administrator. Its grants are never a deviation.',
  },
] as const

const ORIGINS = newTable<string>({
  report: 'By a provisioning report',
  rule: 'By the pattern',
  hand: 'By hand',
})

/** Returns how a name got its meaning. */
export function describeOrigin(origin: MappedName['origin']): string {
  return origin === null ? '' : (ORIGINS[origin] ?? '')
}

/** Parses the kind of a name that can be mapped. */
export function parseNameKind(text: string): 'user' | 'role' | 'group' {
  return text === 'user' || text === 'group' ? text : 'role'
}
