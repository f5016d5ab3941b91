import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../parts/button.tsx'
import { Input } from '../../parts/field.tsx'
import { useListFocus } from '../../parts/list-focus.ts'
import type { TeamForm } from './team-form-values.ts'

interface LinksFieldProps {
  links: TeamForm['links']
  error: string | undefined
  onChange: (links: TeamForm['links']) => void
}

/** Links of a team: a wiki, a repository, a chat; each with a name and an address. */
export function LinksField({ links, error, onChange }: LinksFieldProps) {
  const [place, focusNext] = useListFocus<HTMLDivElement>(links.length)
  const add = (): void => {
    focusNext('last')
    onChange([...links, { name: '', href: '' }])
  }
  const remove = (at: number): void => {
    focusNext('add')
    onChange(links.toSpliced(at, 1))
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Links</legend>
      <div ref={place} className="grid gap-2">
        {links.map(({ name, href }, at) => (
          <div
            key={`${at}`}
            data-item
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5 sm:grid-cols-[11rem_minmax(0,1fr)_auto]"
          >
            <Input
              className="max-sm:col-span-full"
              aria-label={`Name of link ${at + 1}`}
              required
              placeholder="wiki"
              value={name}
              onChange={(event) => onChange(links.with(at, { name: event.target.value, href }))}
            />
            <Input
              aria-label={`Address of link ${at + 1}`}
              placeholder="https://…"
              value={href}
              onChange={(event) => onChange(links.with(at, { name, href: event.target.value }))}
            />
            <IconButton
              label={`Remove the link ${name === '' ? at + 1 : name}`}
              icon={X}
              onClick={() => remove(at)}
            />
          </div>
        ))}
        <Button data-add className="justify-self-start" icon={Plus} onClick={add}>
          Add a link
        </Button>
      </div>
      {error !== undefined && (
        <p role="alert" className="user-text text-sm text-critical">
          {error}
        </p>
      )}
    </fieldset>
  )
}
