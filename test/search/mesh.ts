/**
 * A mesh to search in, made by rule: what is relevant for a query follows from how it was made and
 * not from what a search answers.
 */

import type { ResourceType } from '../../server/documents/search/search.ts'
import {
  ASPECTS,
  ENTITIES,
  LAYERS,
  PLATFORMS,
  getPlace,
  PURPOSES,
  TAGS,
  TEAMS,
  type Entity,
} from './vocabulary.ts'

/** The size of a mesh. */
export interface MeshSize {
  productsCount: number
  contractsCount: number
  assetsCount: number
}

/** The subject of a resource, which determines its relevance. */
export interface Subject {
  entity: Entity
  aspect: string
  place: string
}

/** A resource of the mesh. */
export interface MeshThing extends Subject {
  type: ResourceType
  id: string
  name: string
  team: string
  purpose: string
  tag: string | undefined
  /** The platform of an asset. */
  platform?: (typeof PLATFORMS)[number]
  qualifiedName?: string
}

/** A team of the mesh. */
export interface MeshTeam {
  id: string
  name: string
}

/** A complete mesh. */
export interface Mesh {
  organizationId: string
  teams: readonly MeshTeam[]
  things: readonly MeshThing[]
}

// Teams have things of several kinds, so every so many of them has a tag.
const TAGGED_EVERY = 23

/** Describes a mesh without writing it. */
export function describeMesh(organizationId: string, size: MeshSize): Mesh {
  const teams = TEAMS.map((name) => ({ id: `team-${name.toLowerCase()}`, name: `${name} Squad` }))
  const products = Array.from({ length: size.productsCount }, (_, at) => createProduct(at))
  const contracts = products.slice(0, size.contractsCount).map(toContract)
  const assets = Array.from({ length: size.assetsCount }, (_, at) => {
    return createAsset(
      createSubject(at % size.productsCount),
      Math.floor(at / size.productsCount),
      at,
    )
  })
  return { organizationId, teams, things: [...products, ...contracts, ...assets] }
}

function createSubject(at: number): Subject & { index: number } {
  const index = at % ENTITIES.length
  const rest = Math.floor(at / ENTITIES.length)
  const entity = ENTITIES[index]
  const aspect = ASPECTS[rest % ASPECTS.length]
  if (entity === undefined || aspect === undefined) throw new Error('there are not enough words')
  return { entity, aspect, place: getPlace(Math.floor(rest / ASPECTS.length)), index }
}

function createProduct(at: number): MeshThing {
  const subject = createSubject(at)
  const name = toTitleCase(getWords(subject))
  return {
    ...subject,
    type: 'DATA_PRODUCT',
    id: slug(name),
    name,
    team: TEAMS[subject.index] ?? '',
    purpose: PURPOSES[(at * 7 + 3) % PURPOSES.length] ?? '',
    tag: at % TAGGED_EVERY === 0 ? TAGS[(at / TAGGED_EVERY) % TAGS.length] : undefined,
  }
}

function toContract(product: MeshThing): MeshThing {
  return {
    ...product,
    type: 'DATA_CONTRACT',
    id: toContractId(product.id),
    name: `${product.name} Agreement`,
    purpose: '',
    tag: undefined,
  }
}

/** Returns the id of the contract of a product. */
export function toContractId(productId: string): string {
  return `${productId}-agreement`
}

function createAsset(subject: Subject & { index: number }, round: number, at: number): MeshThing {
  const layer = LAYERS[round % LAYERS.length] ?? ''
  const platform = PLATFORMS[(at + round) % PLATFORMS.length]
  if (platform === undefined) throw new Error('the platform is missing')
  const again = Math.floor(round / LAYERS.length)
  const words = [layer, ...getWords(subject), ...(again === 0 ? [] : [`v${again + 1}`])]
  const name = slug(words.join(' ')).replaceAll('-', '_')
  return {
    ...subject,
    type: 'DATA_ASSET',
    id: `${platform.source}-${String(at).padStart(26, 'a')}`,
    name,
    team: TEAMS[PLATFORMS.indexOf(platform)] ?? '',
    purpose: '',
    tag: undefined,
    platform,
    qualifiedName: `${platform.database}.${subject.entity.domain}.${name}`,
  }
}

function getWords({ entity, aspect, place }: Subject): string[] {
  return [...entity.words, ...aspect.split(' '), ...place.split(' ')]
}

function toTitleCase(words: readonly string[]): string {
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ')
}

/** Returns the id of a name: lower case without accents, with dashes. */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll(' ', '-')
}
