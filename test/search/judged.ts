/**
 * Queries with their relevant results. Relevance follows only from how the mesh was created, not from
 * search results.
 */

import type { Mesh, MeshTeam, MeshThing } from './mesh.ts'
import { ASPECTS, ENTITIES, PLATFORMS, PURPOSES, TAGS, TEAMS } from './vocabulary.ts'

/** A query with its kind and its relevant results. */
export interface JudgedQuery {
  kind: string
  query: string
  /** Keys of the relevant results, `DATA_PRODUCT/id`. */
  relevant: ReadonlySet<string>
}

type Judge = (thing: MeshThing) => boolean

/** Returns the key of a resource: its type and id. */
export function toKey({ type, id }: { type: string; id: string }): string {
  return `${type}/${id}`
}

/** Returns all judged queries of a mesh. */
export function judgedQueries(mesh: Mesh): JudgedQuery[] {
  const products = mesh.things.filter(({ type }) => type === 'DATA_PRODUCT')
  const contracts = mesh.things.filter(({ type }) => type === 'DATA_CONTRACT')
  const assets = mesh.things.filter(({ type }) => type === 'DATA_ASSET')
  const judged = judge(mesh)
  return [
    ...names(judged, products),
    ...ids(judged, products, contracts, assets),
    ...spellings(judged, products),
    ...misspellings(judged, products),
    ...columns(judged),
    ...descriptions(judged),
    ...subjects(judged),
    ...owners(judged, mesh.teams),
    ...sources(judged, assets),
    ...tags(judged),
  ]
}

type Judged = (kind: string, query: string, is: Judge, teams?: readonly MeshTeam[]) => JudgedQuery

function judge(mesh: Mesh): Judged {
  return (kind, query, is, teams = []) => ({
    kind,
    query,
    relevant: new Set([
      ...mesh.things.filter(is).map(toKey),
      ...teams.map(({ id }) => toKey({ type: 'TEAM', id })),
    ]),
  })
}

/** Returns a sample of `count` entries, spread over the list. */
function sample<T>(list: readonly T[], count: number, from = 0): T[] {
  const step = Math.max(1, Math.floor(list.length / count))
  return Array.from({ length: count }, (_, at) => list[(from + at * step) % list.length]).filter(
    (one) => one !== undefined,
  )
}

function sameSubject(one: MeshThing): Judge {
  return ({ entity, aspect, place }) =>
    entity === one.entity && aspect === one.aspect && place === one.place
}

// Accepts a resource and all others made of the same data.
function names(judged: Judged, products: readonly MeshThing[]): JudgedQuery[] {
  return [
    ...sample(products, 14).map((one) => judged('name', one.name, sameSubject(one))),
    ...sample(products, 8, 5).map((one) =>
      judged('name in lower case', one.name.toLowerCase(), sameSubject(one)),
    ),
    ...sample(products, 8, 9).map((one) =>
      judged(
        'words in another order',
        one.name.split(' ').toReversed().join(' '),
        sameSubject(one),
      ),
    ),
    ...sample(products, 8, 11).map((one) =>
      judged('prefixes of words', beginnings(one.name), sameSubject(one)),
    ),
  ]
}

function beginnings(name: string): string {
  return name
    .split(' ')
    .map((word) => word.slice(0, Math.max(4, word.length - 2)))
    .join(' ')
}

// Queries by id: the resource with this id is relevant.
function ids(
  judged: Judged,
  products: readonly MeshThing[],
  contracts: readonly MeshThing[],
  assets: readonly MeshThing[],
): JudgedQuery[] {
  const judgeId = (kind: string, one: MeshThing): JudgedQuery =>
    judged(kind, one.id, (other) => other === one)
  return [
    ...sample(products, 10, 3).map((one) => judgeId('id of a product', one)),
    ...sample(contracts, 8, 2).map((one) => judgeId('id of a contract', one)),
    ...sample(assets, 8, 7).map((one) => judgeId('id of an asset', one)),
    ...sample(products, 8, 17).map((one) =>
      judged('part of an id', one.id.split('-').slice(1).join('-'), hasSameEnding(one)),
    ),
  ]
}

function joinLastWords({ entity, aspect, place }: MeshThing): string {
  return [...entity.words, ...aspect.split(' '), place].slice(1).join(' ')
}

// `note-overview-hamburg` is part of the id of every resource with the same words from the second on.
function hasSameEnding(one: MeshThing): Judge {
  return (other) => joinLastWords(other) === joinLastWords(one)
}

function spellings(judged: Judged, products: readonly MeshThing[]): JudgedQuery[] {
  const ways: Readonly<Record<string, (name: string) => string>> = {
    snake_case: (name) => name.toLowerCase().replaceAll(' ', '_'),
    'kebab-case': (name) => name.toLowerCase().replaceAll(' ', '-'),
    camelCase: (name) => `${name.charAt(0).toLowerCase()}${name.slice(1).replaceAll(' ', '')}`,
    PascalCase: (name) => name.replaceAll(' ', ''),
    'dotted.case': (name) => name.toLowerCase().replaceAll(' ', '.'),
    SCREAMING_SNAKE: (name) => name.toUpperCase().replaceAll(' ', '_'),
  }
  const cities = products.filter(({ place }) => /[^a-z]/i.test(place))
  return [
    ...Object.entries(ways).flatMap(([kind, spelled], at) =>
      sample(products, 4, at * 13 + 1).map((one) =>
        judged(kind, spelled(one.name), sameSubject(one)),
      ),
    ),
    ...sample(cities, 8).map((one) => judged('without accents', bare(one.name), sameSubject(one))),
    ...sample(cities, 4, 3).map((one) =>
      judged('accents as combining characters', one.name.normalize('NFD'), sameSubject(one)),
    ),
  ]
}

function bare(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

const WRONG: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => `${word.slice(0, at)}${word.charAt(at)}${word.slice(at)}`,
  (word, at) => `${word.slice(0, at)}x${word.slice(at + 1)}`,
  (word, at) => word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1),
]

// One letter of the longest word of the entity is wrong, each time in another way and position.
function misspellings(judged: Judged, products: readonly MeshThing[]): JudgedQuery[] {
  return sample(products, 24, 4).map((one, index) => {
    const word = one.entity.words.toSorted((a, b) => b.length - a.length)[0] ?? ''
    const at = 1 + ((index * 5) % (word.length - 1))
    // Swapping two equal letters changes nothing.
    const ways = WRONG.map((way) => way(word, at)).filter((wrong) => wrong !== word)
    const wrong = ways[index % ways.length] ?? word
    const query = one.name.toLowerCase().replace(word, wrong)
    return judged('one letter wrong', query, sameSubject(one))
  })
}

function inCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function columns(judged: Judged): JudgedQuery[] {
  return sample(ENTITIES, 20).flatMap((entity, at) => {
    const column = entity.columns[at % entity.columns.length] ?? ''
    const isOwnColumn: Judge = ({ entity: other }) => other === entity
    return at % 2 === 0
      ? [judged('column', column, isOwnColumn)]
      : [judged('column in camelCase', inCamelCase(column), isOwnColumn)]
  })
}

function descriptions(judged: Judged): JudgedQuery[] {
  return PURPOSES.map((purpose) => {
    const words = purpose
      .split(' ')
      .filter((word) => word.length > 5)
      .slice(-2)
    return judged('words of a description', words.join(' '), (one) => one.purpose === purpose)
  })
}

function hasWords(words: readonly string[], aspect?: string): Judge {
  return (one) =>
    words.every((word) => one.entity.words.includes(word)) &&
    (aspect === undefined || one.aspect === aspect)
}

// Broad queries: an entity, or one aspect of it.
function subjects(judged: Judged): JudgedQuery[] {
  return [
    ...sample(ENTITIES, 10, 2).map(({ words }) =>
      judged('an entity', words.join(' '), hasWords(words)),
    ),
    ...sample(ENTITIES, 8, 4).map(({ words }) =>
      judged('plural', `${words.join(' ')}s`, hasWords(words)),
    ),
    ...sample(ENTITIES, 10, 1).map(({ words }, at) => {
      const aspect = ASPECTS[at % ASPECTS.length] ?? ''
      return judged(
        'an entity and an aspect',
        `${aspect} ${words.join(' ')}`,
        hasWords(words, aspect),
      )
    }),
  ]
}

function owners(judged: Judged, teams: readonly MeshTeam[]): JudgedQuery[] {
  return sample(TEAMS, 12).flatMap((team, at) => {
    const ownTeams = teams.filter(({ name }) => name.startsWith(team))
    const entity = ENTITIES[TEAMS.indexOf(team)]
    const isOwned: Judge = (one) => one.team === team
    return at % 2 === 0
      ? [judged('owner', `${team} Squad`, isOwned, ownTeams)]
      : [
          judged(
            'owner and entity',
            `${team.toLowerCase()} ${entity?.words.join(' ')}`,
            (one) => isOwned(one) && one.entity === entity,
          ),
        ]
  })
}

function sources(judged: Judged, assets: readonly MeshThing[]): JudgedQuery[] {
  return [
    ...sample(ENTITIES, 8, 6).map(({ words }, at) => {
      const platform = PLATFORMS[at % PLATFORMS.length]
      const name = at % 2 === 0 ? platform?.source : platform?.integration.split(' ')[1]
      return judged(
        'platform and entity',
        `${name} ${words.join(' ')}`,
        (one) =>
          one.platform === platform && words.every((word) => one.entity.words.includes(word)),
      )
    }),
    ...sample(assets, 8, 23).map((one) =>
      judged('name of a table', one.name, (other) => other.name === one.name),
    ),
    ...sample(assets, 6, 31).map((one) =>
      judged(
        'qualified name',
        one.qualifiedName ?? '',
        (other) => other.qualifiedName === one.qualifiedName,
      ),
    ),
  ]
}

function tags(judged: Judged): JudgedQuery[] {
  return TAGS.map((tag) => judged('tag', tag, (one) => one.tag === tag))
}
