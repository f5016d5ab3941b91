import { X } from 'lucide-react'
import { IconButton } from '../../parts/button.tsx'
import { Input, useFieldError } from '../../parts/field.tsx'
import { RowList } from '../../parts/row-list.tsx'
import type { TeamForm } from './team-form-values.ts'

interface LinksFieldProps {
  links: TeamForm['links']
  onChange: (links: TeamForm['links']) => void
}

/** Links of a team: a wiki, a repository, a chat; each with a name and an address. */
export function LinksField({ links, onChange }: LinksFieldProps) {
  const error = useFieldError('links')
  return (
    <>
      <RowList
        title="Links"
        rows={links}
        addLabel="Add link"
        newRow={{ name: '', href: '' }}
        onChange={onChange}
      >
        {({ name, href }, at, { set, remove }) => (
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5 sm:grid-cols-[11rem_minmax(0,1fr)_auto]">
            <Input
              className="max-sm:col-span-full"
              aria-label={`Name of link ${at + 1}`}
              required
              placeholder="wiki"
              value={name}
              onChange={(event) => set({ name: event.target.value, href })}
            />
            <Input
              aria-label={`Address of link ${at + 1}`}
              placeholder="https://…"
              value={href}
              onChange={(event) => set({ name, href: event.target.value })}
            />
            <IconButton
              label={`Remove the link ${name === '' ? at + 1 : name}`}
              icon={X}
              onClick={remove}
            />
          </div>
        )}
      </RowList>
      {error !== undefined && (
        <p role="alert" className="user-text text-sm text-critical">
          {error}
        </p>
      )}
    </>
  )
}
