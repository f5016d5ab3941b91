/** The types of teams on the wire. */
export const TEAM_TYPES = [
  'Domain',
  'Team',
  'Domain Team',
  'Enabling Team',
  'Platform Team',
  'Governance Group',
] as const

/** The type of a team. */
export type TeamType = (typeof TEAM_TYPES)[number]

/** Returns the type of a team as people know it. */
export function getTypeLabel(team: {
  type: string
  customType?: string | null | undefined
}): string {
  return team.customType || team.type
}

/** The roles with defined permissions; any other text is a role of the organization. */
export const TEAM_ROLES = ['Owner', 'Approver', 'Editor', 'Steward', 'Member'] as const

/** The fields that people edit in a form, with their labels, and whether a field decides who may do what. */
export const TEAM_FORM_FIELDS = [
  { name: 'name', title: 'Name', decidesPermissions: false },
  { name: 'type', title: 'Type', decidesPermissions: true },
  { name: 'parent', title: 'Parent', decidesPermissions: true },
  { name: 'description', title: 'Description', decidesPermissions: false },
  { name: 'members', title: 'Members', decidesPermissions: true },
  { name: 'tags', title: 'Tags', decidesPermissions: false },
  { name: 'links', title: 'Links', decidesPermissions: false },
] as const

/** The name of a field that people edit in a form. */
export type TeamFormField = (typeof TEAM_FORM_FIELDS)[number]['name']

/** The role of a member without a role. */
export const USUAL_TEAM_ROLE = 'Member'
