/** The scopes of API keys on the wire. */
export const KEY_SCOPE_NAMES = [
  'user',
  'user_read',
  'team',
  'team_read',
  'organization',
  'organization_read',
] as const

/** The scope of an API key. */
export type KeyScope = (typeof KEY_SCOPE_NAMES)[number]

interface ScopeDescription {
  /** The owner of the key, whose permissions it has. */
  holder: 'user' | 'team' | 'organization'
  isReadOnly: boolean
  title: string
  /** The powers of a program with such a key, in a sentence. */
  powers: string
}

/** The description of each scope: the server decides by it, and the pages show its texts. */
export const KEY_SCOPES: Readonly<Record<KeyScope, ScopeDescription>> = {
  user: {
    holder: 'user',
    isReadOnly: false,
    title: 'Personal',
    powers: 'Does what you can do, and follows your roles.',
  },
  user_read: {
    holder: 'user',
    isReadOnly: true,
    title: 'Personal, read-only',
    powers: 'Reads what you can read. Ends when you leave the organization.',
  },
  team: {
    holder: 'team',
    isReadOnly: false,
    title: 'Team',
    powers:
      'Registers and changes what one team and its subteams own. The usual choice for a pipeline.',
  },
  team_read: {
    holder: 'team',
    isReadOnly: true,
    title: 'Team, read-only',
    powers: 'Reads the catalog, and the integrations of one team and its subteams.',
  },
  organization: {
    holder: 'organization',
    isReadOnly: false,
    title: 'Organization',
    powers: 'Does everything that an owner can do in the API, for every team.',
  },
  organization_read: {
    holder: 'organization',
    isReadOnly: true,
    title: 'Organization, read-only',
    powers: 'Reads everything in the organization.',
  },
}
