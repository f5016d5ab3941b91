import type { ReactNode } from 'react'
import { getField, isObject, asText, type Value } from '../../formats/text/value.ts'
import { OutsideLink } from '../parts/link.tsx'
import { Panel } from '../parts/page.tsx'
import { ValueView } from '../parts/value-view.tsx'

interface ContactProps {
  /** The whole document. */
  value: Value
}

/** The support channels of a document; nothing if it has none. */
export function SupportPanel({ value }: ContactProps): ReactNode {
  const support = getField(value, 'support')
  if (support === undefined) return null
  const channels = getObjects(support)
  return (
    <Panel title="Support">
      {channels === undefined ? (
        <ValueView value={support} />
      ) : (
        <ul className="grid gap-2">
          {channels.map((channel, at) => {
            const url = asText(getField(channel, 'url')) ?? ''
            const name = asText(getField(channel, 'channel')) ?? url
            const description = asText(getField(channel, 'description'))
            return (
              <li key={`${name} ${at}`} className="user-text">
                <OutsideLink href={url}>{name}</OutsideLink>
                {description !== undefined && <p className="text-sm text-muted">{description}</p>}
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

/** The members of the team that a document lists; nothing if it lists none. */
export function PeoplePanel({ value }: ContactProps): ReactNode {
  const team = getField(value, 'team')
  if (team === undefined) return null
  // Version 3.0 of the standard has the list itself where 3.1 has a team with members.
  const people = getObjects(getField(team, 'members') ?? team)
  if (people === undefined) return null
  return (
    <Panel title="People">
      <ul className="grid gap-2">
        {people.map((person, at) => (
          <Person key={`${at}`} person={person} />
        ))}
      </ul>
    </Panel>
  )
}

function Person({ person }: { person: Value }) {
  const username = asText(getField(person, 'username'))
  const name = asText(getField(person, 'name')) ?? username
  const role = asText(getField(person, 'role'))
  const until = asText(getField(person, 'dateOut'))
  const more = [username === name ? undefined : username, until && `until ${until}`].filter(Boolean)
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="user-text">{name ?? 'Unnamed'}</span>
        {role !== undefined && <span className="user-text text-sm text-muted">{role}</span>}
      </p>
      {more.length > 0 && <p className="user-text text-sm text-muted">{more.join(', ')}</p>}
    </li>
  )
}

function getObjects(list: Value): Value[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.every(isObject) ? list : undefined
}
