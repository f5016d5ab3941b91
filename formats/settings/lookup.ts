import { nameEffect, type Setting, type SettingDocument } from './setting.ts'
import { SETTINGS } from './table.ts'

/** Returns the settings of a document. */
export function listSettings(document: SettingDocument): Setting[] {
  return SETTINGS.filter((setting) => setting.document === document)
}

/** Returns the rows of the guide's table of a document's settings, in Markdown. */
export function toGuideRows(document: SettingDocument): string[] {
  return listSettings(document).map(
    ({ member, effect, description }) =>
      `| \`${member}\` | ${nameEffect(effect)} | ${description} |`,
  )
}

/**
 * Describes the settings of a document that are stored and not used, for the documentation of its PUT; empty if there
 * are none.
 */
export function describeUnused(document: SettingDocument): string {
  const members = listSettings(document)
    .filter(({ effect }) => effect === 'stored')
    .map(({ member }) => `\`${member}\``)
  return members.length === 0 ? '' : `Stored, and not used as rules: ${members.join(', ')}.`
}

/** Returns a setting. Throws if the list does not have it. */
export function getSetting(document: SettingDocument, member: string): Setting {
  const setting = listSettings(document).find((one) => one.member === member)
  if (setting === undefined) throw new Error(`${document} has no setting ${member}`)
  return setting
}
