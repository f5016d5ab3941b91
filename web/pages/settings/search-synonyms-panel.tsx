import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api, client, readBody } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/form.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Tag } from '../../parts/status.tsx'
import { TagInput } from '../../parts/tag-input.tsx'
import { useAction } from '../../shell/action.ts'
import { groupProblem, groupsToSave, reasonNotToSave, type Groups } from './synonym-groups.ts'

const GROUPS_MAX = 100
const FULL = `An organization has at most ${GROUPS_MAX} groups.`

/** The groups of words that search treats alike; owners can add their own. */
export function SearchSynonymsPanel({ canEdit }: { canEdit: boolean }) {
  const synonyms = api.useQuery('get', '/ui/search-synonyms', {})
  return (
    <QueryPanel title="Search synonyms" query={synonyms}>
      {(data) => (
        <div className="grid gap-4">
          <p className="text-muted">
            Search treats the words of a group alike: a search for one also finds the others.
          </p>
          {canEdit ? (
            <SynonymForm stored={data.groups} />
          ) : (
            <>
              <GroupList groups={data.groups} label="Groups of this organization" />
              <p className="text-sm text-muted">
                Only owners of the organization can change the groups.
              </p>
            </>
          )}
          <details>
            <summary className="w-fit rounded text-muted">
              Built-in groups ({data.known.length})
            </summary>
            <div className="mt-2">
              <GroupList groups={data.known} label="Built-in groups" />
            </div>
          </details>
        </div>
      )}
    </QueryPanel>
  )
}

function GroupList({ groups, label }: { groups: Groups; label: string }) {
  if (groups.length === 0) return <p>No groups added.</p>
  return (
    <ul aria-label={label} className="grid gap-2">
      {groups.map((words, at) => (
        <li key={`${at} ${words.join(' ')}`} className="flex flex-wrap gap-1">
          {words.map((word) => (
            <Tag key={word}>{word}</Tag>
          ))}
        </li>
      ))}
    </ul>
  )
}

function SynonymForm({ stored }: { stored: Groups }) {
  const [groups, setGroups] = useState(stored)
  const save = useAction({
    request: () =>
      readBody(client.PUT('/ui/search-synonyms', { body: { groups: groupsToSave(groups) } })),
    onSuccess: (saved) => setGroups(saved.groups),
    notice: 'Synonyms saved.',
    // Earlier search results do not have the new words.
    refresh: 'everything',
  })
  const setGroup = (at: number, words: readonly string[]): void =>
    setGroups(groups.map((group, other) => (other === at ? words : group)))
  return (
    <Form
      label="Search synonyms"
      problem={save.problem}
      fields={groups.map((_, at) => `groups.${at}`)}
      onSubmit={save.run}
    >
      {groups.map((words, at) => (
        <TagInput
          // Groups have no ids; they are only added at the end.
          key={at}
          label={`Group ${at + 1}`}
          field={`groups.${at}`}
          // A group begins with one word, which is not an error yet.
          hint={groupProblem(words)}
          tags={words}
          onAdd={(word) => setGroup(at, [...words, word])}
          onRemove={(removed) => setGroup(at, words.toSpliced(removed, 1))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Plus}
          reason={groups.length < GROUPS_MAX ? undefined : FULL}
          onClick={() => setGroups([...groups, []])}
        >
          Add group
        </Button>
        <Button
          type="submit"
          look="primary"
          busy={save.isPending}
          reason={reasonNotToSave(stored, groups)}
        >
          Save synonyms
        </Button>
      </div>
    </Form>
  )
}
