/** A field of a team's document. */
interface TeamField {
  name: string
  kind: 'text' | 'long-text' | 'type' | 'parent' | 'members' | 'tags' | 'links' | 'object'
  /** Its label in the form; absent = people do not edit it there. */
  title?: string
  /** Whether each stored team has it. */
  isRequired?: boolean
  /** Whether it decides who may do what. */
  decidesPermissions: boolean
  /** Its description in the OpenAPI document. */
  description?: string
}

/**
 * The fields of a team's document in their order; others are kept. The shape with which documents are read and compared,
 * the schema of the API and the form of the pages are made from this list.
 */
export const TEAM_FIELDS = [
  { name: 'id', kind: 'text', isRequired: true, decidesPermissions: false },
  { name: 'name', kind: 'text', title: 'Name', isRequired: true, decidesPermissions: false },
  { name: 'type', kind: 'type', title: 'Type', isRequired: true, decidesPermissions: true },
  {
    name: 'customType',
    kind: 'text',
    decidesPermissions: false,
    description: 'The type of a Team as it was sent',
  },
  {
    name: 'parent',
    kind: 'parent',
    title: 'Parent',
    decidesPermissions: true,
    description: 'External id of the team above',
  },
  { name: 'description', kind: 'long-text', title: 'Description', decidesPermissions: false },
  { name: 'members', kind: 'members', title: 'Members', decidesPermissions: true },
  { name: 'tags', kind: 'tags', title: 'Tags', decidesPermissions: false },
  { name: 'links', kind: 'links', title: 'Links', decidesPermissions: false },
  { name: 'custom', kind: 'object', decidesPermissions: false },
] as const satisfies readonly TeamField[]

/** The kind of value of a field. */
export type TeamFieldKind = TeamField['kind']

/** A field that people edit in the form. */
export type TeamFormField = Extract<(typeof TEAM_FIELDS)[number], { title: string }>

/** The fields that people edit in the form. */
export const TEAM_FORM_FIELDS: readonly TeamFormField[] = TEAM_FIELDS.filter(
  (field) => 'title' in field,
)
