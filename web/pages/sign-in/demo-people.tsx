import { Check } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { Avatar } from '../../parts/avatar.tsx'

interface DemoPeopleProps {
  people: readonly Schemas['DemoPerson'][]
  /** The address in the form. */
  email: string
  onChoose: (email: string) => void
}

/** The people who can sign in to a demo. Choosing one fills in the address; passwords are never shown. */
export function DemoPeople({ people, email, onChoose }: DemoPeopleProps) {
  return (
    <section aria-labelledby="demo-people" className="grid gap-2">
      <h2 id="demo-people" className="text-base font-semibold">
        People of this demo
      </h2>
      <ul className="grid gap-1.5">
        {people.map((person) => (
          <li key={person.email}>
            <button
              type="button"
              aria-pressed={person.email === email}
              onClick={() => onChoose(person.email)}
              className="flex w-full items-center gap-3 rounded-md border border-line px-3 py-2 text-left hover:bg-hover aria-pressed:border-accent"
            >
              <Avatar name={person.name} id={person.email} kind="person" />
              <span className="min-w-0 grow">
                <span className="user-text block font-medium">{person.name}</span>
                <span className="user-text block text-sm text-muted">{person.role}</span>
              </span>
              {person.email === email && (
                <Check size={16} aria-hidden className="shrink-0 text-accent" />
              )}
            </button>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        The passwords were printed when the server started in a terminal. They are also in the file{' '}
        <code>demo-sign-in</code> of its data folder.
      </p>
    </section>
  )
}
