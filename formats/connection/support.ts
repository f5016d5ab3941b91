// The channels in which consumers ask the team that provides data.

import { asText, getField, isObject, type Value } from '../text/value.ts'
import { hasHiddenCharacter, revealHidden } from './value-check.ts'

/** A channel of a team. */
export interface SupportChannel {
  /** The name of the channel. */
  channel: string
  /** An address that a page may open: http, https or mailto; absent = there is none. */
  url?: string
  /** `slack`, `email`. */
  tool?: string
  description?: string
  /** Whether the contract or the document of its team names it. */
  source: 'contract' | 'team'
}

const CHANNELS_MAX = 20
const TEXT_CHARACTERS_MAX = 500

/** Lists the channels of a contract, then those of its team. Names and links that occur twice are listed once. */
export function listSupport(documents: {
  contract?: Value | undefined
  team?: Value | undefined
}): SupportChannel[] {
  const { contract, team } = documents
  const all = [...listContractChannels(contract), ...listContact(contract), ...listLinks(team)]
  const byKey = new Map<string, SupportChannel>()
  for (const one of all) {
    const key = one.url ?? `name:${one.channel}`
    if (!byKey.has(key)) byKey.set(key, one)
  }
  return [...byKey.values()].slice(0, CHANNELS_MAX)
}

function listContractChannels(contract: Value | undefined): SupportChannel[] {
  const support = getField(contract, 'support')
  if (!Array.isArray(support)) return []
  return support.flatMap((item) => {
    const urls = [getField(item, 'url'), getField(item, 'invitationUrl')]
    const url = urls.map(toLink).find((link) => link !== undefined)
    const name = toLine(getField(item, 'channel')) ?? toLine(urls[0])
    const more = { tool: toLine(getField(item, 'tool')), url }
    return toChannel(name, 'contract', {
      ...more,
      description: toLine(getField(item, 'description')),
    })
  })
}

// The contact of DCS.
function listContact(contract: Value | undefined): SupportChannel[] {
  const contact = getField(getField(contract, 'info'), 'contact')
  if (!isObject(contact)) return []
  const email = asText(getField(contact, 'email'))
  const links = [getField(contact, 'url'), email === undefined ? null : `mailto:${email}`]
  return links.flatMap((link) => {
    const url = toLink(link)
    const name = toLine(getField(contact, 'name')) ?? toLine(link)
    return url === undefined ? [] : toChannel(name, 'contract', { url })
  })
}

function listLinks(team: Value | undefined): SupportChannel[] {
  const links = getField(team, 'links')
  if (!isObject(links)) return []
  return Object.entries(links).flatMap(([name, link]) => {
    const url = toLink(link)
    return url === undefined ? [] : toChannel(toLine(name), 'team', { url })
  })
}

function toChannel(
  channel: string | undefined,
  source: SupportChannel['source'],
  { url, tool, description }: { [name in 'url' | 'tool' | 'description']?: string | undefined },
): SupportChannel[] {
  if (channel === undefined) return []
  const one: SupportChannel = { channel, source }
  if (url !== undefined) one.url = url
  if (tool !== undefined) one.tool = tool
  if (description !== undefined) one.description = description
  return [one]
}

function toLine(value: Value | undefined): string | undefined {
  const text = asText(value)?.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS_MAX)
  return text === undefined || text === '' ? undefined : revealHidden(text)
}

// Other schemes run programs or scripts of the reader.
function toLink(value: Value | undefined): string | undefined {
  const text = asText(value)?.trim()
  if (text === undefined || text.length > TEXT_CHARACTERS_MAX || hasHiddenCharacter(text)) {
    return undefined
  }
  const protocol = URL.parse(text)?.protocol
  return protocol !== undefined && ['http:', 'https:', 'mailto:'].includes(protocol)
    ? text
    : undefined
}
