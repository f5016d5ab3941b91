import { getField, type Value } from '../../../formats/text/value.ts'
import {
  createSection,
  listCommonSections,
  type FormSectionRecord,
} from '../../documents/section-records.ts'

/** Returns the lists of an ODCS document other than its schema. */
export function listContractSections(value: Value): FormSectionRecord[] {
  // Before v3.1.0 the team is the list of its members.
  const people = Array.isArray(getField(value, 'team')) ? ['team'] : ['team', 'members']
  return [
    createSection(['servers'], 'Servers', 'server', ['server', 'type'], {
      empty: 'Add the servers where the data can be read.',
      newItem: { server: '', type: 'postgresql' },
    }),
    createSection(['slaProperties'], 'Service levels', 'service level', ['property'], {
      empty: 'Add promises such as latency, retention or availability.',
      newItem: { property: '', value: '' },
    }),
    createSection(['roles'], 'Roles', 'role', ['role'], {
      empty: 'Add the roles that give access to the data.',
      newItem: { role: '' },
    }),
    ...listCommonSections('data contract', people, { url: '', type: '' }),
  ]
}

/** Returns the list of quality checks of a model or a field. */
export function getQualitySection(path: readonly (string | number)[]): FormSectionRecord {
  return createSection(
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
