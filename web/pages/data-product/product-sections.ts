import { createSection, type FormSectionRecord } from '../../documents/form-section.tsx'

/** The lists of an ODPS document other than its ports. */
export const PRODUCT_SECTIONS: readonly FormSectionRecord[] = [
  createSection(['team', 'members'], 'People', 'person', ['name', 'username'], {
    empty: 'People who work on the product appear here.',
    newItem: { username: '' },
  }),
  createSection(['support'], 'Support channels', 'channel', ['channel', 'url'], {
    empty: 'Add a channel where consumers can ask questions.',
    newItem: { channel: '', url: '' },
  }),
  createSection(['authoritativeDefinitions'], 'Links', 'link', ['type', 'url'], {
    empty: 'Add links to definitions, tutorials or code.',
    newItem: { type: '', url: '' },
  }),
  createSection(['customProperties'], 'Custom properties', 'property', ['property'], {
    empty: 'Add properties that the standard does not define.',
    newItem: { property: '', value: '' },
  }),
]
