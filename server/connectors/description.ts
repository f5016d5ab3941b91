import type { z } from 'zod'
import type { FieldDisplay } from './fields.ts'
import type { FilterKind } from './filter.ts'
import type { GrantRules } from './grant.ts'
import type { MeasureRules } from './measure.ts'

/** The data that drives a source's form, redaction and documentation. */
export interface Description {
  /** The display name, such as `PostgreSQL`. */
  title: string
  /** The supported versions and what is read, in a sentence or two. */
  summary: string
  /** The fields that are neither secrets nor filters, as a strict zod object with FieldTexts. */
  configuration: z.ZodObject
  secrets: readonly SecretField[]
  /** Fields that determine the host and the account: changing one requires every secret again. */
  connectionFields: readonly string[]
  /** The first of these fields with a value completes the proposed name of an integration. */
  nameFields: readonly string[]
  /** The levels of a native path, from the top: `database`, `schema`, `table`. */
  levels: readonly [FilterKind, ...FilterKind[]]
  /** The level that is the unit of completeness. */
  scopeLevel: FilterKind
  /** Names at a level that belong to the platform itself; an exact include overrides this. */
  systemNames: Partial<Record<FilterKind, (name: string) => boolean>>
  assetKinds: readonly AssetKind[]
  /** Kinds that a configuration disables: existing assets of these kinds are left out, not gone. */
  kindsLeftOut: (configuration: Readonly<Record<string, unknown>>) => readonly AssetKind[]
  /**
   * Whether a path is a hidden path or below it (SourceSession.hiddenPaths). By default, every part
   * of the hidden path must be equal.
   */
  isWithin?(path: readonly string[], hiddenPath: readonly string[]): boolean
  /** The name of its guide in `docs/guides/sources`: `aws-glue`; undefined if there is none. */
  guide?: string
  /** The type of an ODCS server (`postgres`), or undefined if the standard has none. */
  serverType: string | undefined
  /**
   * Set if a listing silently leaves out what the account may not see. A table that is missing from
   * such a listing is asked for (`SourceSession.prove`) before it is deleted.
   */
  hidesTables?: true
  /** Present if grants can be read (`SourceSession.grants`). */
  grants?: GrantRules
  /** Present if tables can be measured (`SourceSession.measure`). */
  measures?: MeasureRules
  /** Present if assets have a `version`; increased when an unchanged source is read to other assets. */
  readingVersion?: number
}

/** Leaves out views if a configuration excludes them: the kinds of every source with the field `includeViews`. */
export const leaveOutViews: Description['kindsLeftOut'] = ({ includeViews }) =>
  includeViews === false ? VIEW_KINDS : []

const VIEW_KINDS: readonly AssetKind[] = ['view', 'materialized_view']

/** A secret that a source may need. */
interface SecretField extends FieldDisplay {
  name: string
  title: string
  required: boolean
  /** Whether the value may have several lines, such as a PEM key. */
  multiline: boolean
}

/** Creates a secret; by default it is optional and has one line. */
export function newSecret(
  name: string,
  title: string,
  more: Partial<SecretField> = {},
): SecretField {
  return { name, title, required: false, multiline: false, ...more }
}

/** The kinds of assets; an asset's type is `<platform>_<kind>`. */
export const ASSET_KINDS = [
  'catalog',
  'database',
  'schema',
  'namespace',
  'table',
  'view',
  'materialized_view',
  'external_table',
] as const

/** The kinds of assets that contain others. */
export const CONTAINER_KINDS: readonly AssetKind[] = ['catalog', 'database', 'schema', 'namespace']

/** A kind of asset. */
export type AssetKind = (typeof ASSET_KINDS)[number]
