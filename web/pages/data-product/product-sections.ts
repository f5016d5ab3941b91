import type { FormSectionRecord } from '../../documents/form-section.tsx'

/** The lists of an ODPS document other than its ports. */
export const PRODUCT_SECTIONS: readonly FormSectionRecord[] = [
  {
    path: ['team', 'members'],
    title: 'People',
    empty: 'People who work on the product appear here.',
    addLabel: 'Add person',
    newItem: { username: '' },
    nameFields: ['name', 'username'],
  },
  {
    path: ['support'],
    title: 'Support channels',
    empty: 'Add a channel where consumers can ask questions.',
    addLabel: 'Add channel',
    newItem: { channel: '', url: '' },
    nameFields: ['channel', 'url'],
  },
  {
    path: ['authoritativeDefinitions'],
    title: 'Links',
    empty: 'Add links to definitions, tutorials or code.',
    addLabel: 'Add link',
    newItem: { type: '', url: '' },
    nameFields: ['type', 'url'],
  },
  {
    path: ['customProperties'],
    title: 'Custom properties',
    empty: 'Add properties that the standard does not define.',
    addLabel: 'Add property',
    newItem: { property: '', value: '' },
    nameFields: ['property'],
  },
]
