import { getField, type Value } from '../../../formats/text/value.ts'
import type { FormSectionRecord } from '../../documents/form-section.tsx'

/** Returns the lists of an ODCS document other than its schema. */
export function listContractSections(value: Value): FormSectionRecord[] {
  // Before v3.1.0 the team is the list of its members.
  const people = Array.isArray(getField(value, 'team')) ? ['team'] : ['team', 'members']
  return [
    section(['servers'], 'Servers', 'server', ['server', 'type'], {
      empty: 'Add the servers where the data can be read.',
      newItem: { server: '', type: 'postgresql' },
    }),
    section(['slaProperties'], 'Service levels', 'service level', ['property'], {
      empty: 'Add promises such as latency, retention or availability.',
      newItem: { property: '', value: '' },
    }),
    section(['roles'], 'Roles', 'role', ['role'], {
      empty: 'Add the roles that give access to the data.',
      newItem: { role: '' },
    }),
    section(people, 'People', 'person', ['name', 'username'], {
      empty: 'People who work on the data contract appear here.',
      newItem: { username: '' },
    }),
    section(['support'], 'Support channels', 'channel', ['channel', 'url'], {
      empty: 'Add a channel where consumers can ask questions.',
      newItem: { channel: '', url: '' },
    }),
    section(['authoritativeDefinitions'], 'Links', 'link', ['type', 'url'], {
      empty: 'Add links to definitions, tutorials or code.',
      newItem: { url: '', type: '' },
    }),
    section(['customProperties'], 'Custom properties', 'property', ['property'], {
      empty: 'Add properties that the standard does not define.',
      newItem: { property: '', value: '' },
    }),
  ]
}

/** Returns the list of quality checks of a model or a field. */
export function getQualitySection(path: readonly (string | number)[]): FormSectionRecord {
  return section(
    [...path, 'quality'],
    'Quality checks',
    'check',
    ['name', 'metric', 'rule', 'description'],
    {
      empty: 'Add rules that the data meets.',
      newItem: { type: 'text', description: '' },
    },
  )
}

function section(
  path: FormSectionRecord['path'],
  title: string,
  item: string,
  nameFields: readonly string[],
  rest: Pick<FormSectionRecord, 'empty' | 'newItem'>,
): FormSectionRecord {
  return { path, title, addLabel: `Add ${item}`, nameFields, ...rest }
}
