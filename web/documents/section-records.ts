import { asText, getField, type Path, type Value } from '../../formats/text/value.ts'

/** A list of a document that a form edits: its place, its words, and what a new item begins with. */
export interface FormSectionRecord {
  path: Path
  title: string
  /** The purpose of the list while it is empty. */
  empty: string
  /** The button: `Add person`. */
  addLabel: string
  newItem: Value
  /** The fields by which an item is named, the first that is filled counts. */
  nameFields: readonly string[]
}

/** Describes a list whose items are called `item`. */
export function createSection(
  path: Path,
  title: string,
  item: string,
  nameFields: readonly string[],
  rest: Pick<FormSectionRecord, 'empty' | 'newItem'>,
): FormSectionRecord {
  return { path, title, addLabel: `Add ${item}`, nameFields, ...rest }
}

/** Returns the lists that ODPS and ODCS share. */
export function listCommonSections(
  document: string,
  people: Path,
  newLink: Value,
): FormSectionRecord[] {
  return [
    createSection(people, 'People', 'person', ['name', 'username'], {
      empty: `People who work on the ${document} appear here.`,
      newItem: { username: '' },
    }),
    createSection(['support'], 'Support channels', 'channel', ['channel', 'url'], {
      empty: 'Add a channel where consumers can ask questions.',
      newItem: { channel: '', url: '' },
    }),
    createSection(['authoritativeDefinitions'], 'Links', 'link', ['type', 'url'], {
      empty: 'Add links to definitions, tutorials or code.',
      newItem: newLink,
    }),
    createSection(['customProperties'], 'Custom properties', 'property', ['property'], {
      empty: 'Add properties that the standard does not define.',
      newItem: { property: '', value: '' },
    }),
  ]
}

/** Returns the name of an item by the first of its fields that is filled; undefined = it has none. */
export function getItemName(item: Value, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = asText(getField(item, name))?.trim() ?? ''
    if (text !== '') return text
  }
  return undefined
}
