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

/** The roles with defined permissions; any other text is a role of the organization. */
export const TEAM_ROLES = ['Owner', 'Approver', 'Editor', 'Steward', 'Member'] as const
