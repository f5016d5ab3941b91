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

/** The role of a member without a role. */
export const USUAL_TEAM_ROLE = 'Member'
