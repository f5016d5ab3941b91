// A setting is a member of a document that an owner may understand as a rule: approval is needed, something is switched
// off. Each is enforced, or refused when it is switched on, or it is a preference of other clients that is only stored.

/** The effect of a setting in the catalog. */
export type SettingEffect =
  /** The catalog acts on it everywhere. */
  | 'enforced'
  /** A value other than null is rejected, because it would have no effect. */
  | 'refused'
  /** It is stored and answered for other clients; the catalog does not use it. */
  | 'stored'
  /** The catalog decides its value; a value that is sent is ignored. */
  | 'computed'

/** The documents that have settings. */
export type SettingDocument =
  | 'features'
  | 'team-roles'
  | 'customization'
  | 'scim-mapping'
  | 'email-templates'
  | 'access'
  | 'data-contract'
  | 'data-product'

/** A member of a document, and what it does. */
export interface Setting {
  document: SettingDocument
  /** The path of the member; `[]` is an item of a list and `{}` a value of a map. */
  member: string
  /** The name of the setting on pages. */
  title: string
  effect: SettingEffect
  /** The values of the member, or of the member `type` of its items, if it has a list of them. */
  values?: readonly string[]
  /** The type of the member, if it has no list of values. */
  type?: 'flag' | 'text' | 'texts' | 'list'
  /** One or two sentences: what it does, or why it does nothing. */
  description: string
}

const EFFECTS: Readonly<Record<SettingEffect, string>> = {
  enforced: 'enforced',
  refused: 'not supported yet',
  stored: 'not used',
  computed: 'computed',
}

/** Returns the name of an effect: `not used`. */
export function nameEffect(effect: SettingEffect): string {
  return EFFECTS[effect]
}

/** Describes a setting for the API's documentation: `Not used: stored for other clients. The pages never run it.` */
export function describeSetting({ effect, description }: Setting): string {
  switch (effect) {
    case 'enforced':
      return description
    case 'refused':
      return `Not supported yet: any value other than null answers 422. ${description}`
    case 'stored':
      return `Not used: stored for other clients. ${description}`
    case 'computed':
      return `Computed: a value that is sent is ignored. ${description}`
  }
}

/** Returns the error for a value of a setting that is refused. */
export function describeRefusal({ member, description }: Setting): string {
  return `is not supported yet and would have no effect. ${description} Set ${member} to null, or remove it`
}

/** The error for a setting that the catalog does not have. */
export const UNKNOWN_SETTING =
  'is not a setting of Portbook, and would have no effect. Remove it, or correct its name'
