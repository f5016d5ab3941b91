import type { ReactNode } from 'react'
import { getField, isObject, asText, type Value } from '../../formats/text/value.ts'
import { OutsideLink } from '../parts/outside-link.tsx'
import { Panel, StackedFacts } from '../parts/page.tsx'
import { listMoreFacts } from './more-facts.tsx'
import { Tag } from '../parts/status.tsx'
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
            const invitation = asText(getField(channel, 'invitationUrl'))
            const words = ['tool', 'scope'].flatMap((word) => asText(getField(channel, word)) ?? [])
            return (
              <li key={`${name} ${at}`} className="user-text">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <OutsideLink href={url}>{name}</OutsideLink>
                  {words.map((word) => (
                    <Tag key={word}>{word}</Tag>
                  ))}
                  {invitation !== undefined && (
                    <OutsideLink href={invitation} className="text-sm">
                      Invitation
                    </OutsideLink>
                  )}
                </span>
                {description !== undefined && <p className="text-sm text-muted">{description}</p>}
                <More of={channel} shown={SHOWN_OF_CHANNEL} />
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

const SHOWN_OF_CHANNEL: ReadonlySet<string> = new Set(
  'id channel url description tool scope invitationUrl'.split(' '),
)

// What few documents have: tags, links, custom properties.
function More({ of, shown }: { of: Value; shown: ReadonlySet<string> }) {
  const facts = listMoreFacts(of, shown)
  if (facts.length === 0) return null
  return (
    <div className="mt-1 text-sm">
      <StackedFacts facts={facts} />
    </div>
  )
}

const SHOWN_OF_PERSON: ReadonlySet<string> = new Set(
  'id username name description role dateIn dateOut replacedByUsername'.split(' '),
)

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
  const since = asText(getField(person, 'dateIn'))
  const successor = asText(getField(person, 'replacedByUsername'))
  const more = [
    username === name ? undefined : username,
    since && `since ${since}`,
    until && `until ${until}`,
    successor && `replaced by ${successor}`,
  ].filter(Boolean)
  const description = asText(getField(person, 'description'))
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="user-text">{name ?? 'Unnamed'}</span>
        {role !== undefined && <span className="user-text text-sm text-muted">{role}</span>}
      </p>
      {more.length > 0 && <p className="user-text text-sm text-muted">{more.join(', ')}</p>}
      {description !== undefined && <p className="user-text text-sm text-muted">{description}</p>}
      <More of={person} shown={SHOWN_OF_PERSON} />
    </li>
  )
}

function getObjects(list: Value): Value[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.every(isObject) ? list : undefined
}
