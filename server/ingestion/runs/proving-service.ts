import { SourceFailure, type AssetPlace, type TableProof } from '../../connectors/connector.ts'
import { parsePath } from './listing.ts'
import type { UnseenTable } from './unseen-store.ts'

/** The number of tables of one scope that are asked for by name. */
const ASKED_MAX = 50
/** The number of tables of a run that are asked for by name. */
const ASKED_IN_RUN_MAX = 1000

const NOT_ASKED = 'Too many tables are missing to ask for them.'

/** Asks the source for tables by name. */
type Prove = (tables: readonly AssetPlace[]) => Promise<readonly TableProof[]>

/** Missing tables that are not proven to be gone, by their paths as JSON lists. */
export interface UnprovenTables {
  reasons: ReadonlyMap<string, string>
  /** Those that the source still shows, and those of scopes that hide tables, unless they are proven to be gone. */
  hidden: ReadonlySet<string>
}

/**
 * Asks the source for missing tables before they are deleted, because its listing may hide them: for up to
 * 50 of a scope, chosen at random. Returns the tables that are not proven to be gone, with the reasons. A table that
 * still exists, or is refused, shows that the scope hides tables: all are held.
 */
export async function findUnproven(
  unseen: readonly UnseenTable[],
  prove: Prove,
  random: () => number = Math.random,
): Promise<UnprovenTables> {
  const unproven = new Map<string, string>()
  const hiddenPaths = new Set<string>()
  let left = ASKED_IN_RUN_MAX
  for (const tables of Map.groupBy(unseen, ({ scope }) => scope).values()) {
    const asked = pickRandom(tables, Math.min(ASKED_MAX, left), random)
    left -= asked.length
    const proofs = await askFor(asked, prove)
    const hidden = asked.find(({ path }) => isHidden(proofs.get(path)))
    const doubtful = asked.find(({ path }) => proofs.get(path)?.presence !== 'gone')
    const late = asked.find(({ path }) => proofs.get(path)?.presence === 'late')
    const isSample = asked.length < tables.length
    for (const { path } of tables) {
      if (hidden !== undefined) {
        unproven.set(path, describeHidden(hidden, proofs))
        if (proofs.get(path)?.presence !== 'gone') hiddenPaths.add(path)
      } else if (isSample && (doubtful !== undefined || asked.length === 0)) {
        unproven.set(path, getMessage(proofs, (late ?? doubtful)?.path))
        if (late !== undefined) hiddenPaths.add(path)
      } else if (!isSample && proofs.get(path)?.presence !== 'gone') {
        unproven.set(path, getMessage(proofs, path))
        if (proofs.get(path)?.presence === 'late') hiddenPaths.add(path)
      }
    }
  }
  return { reasons: unproven, hidden: hiddenPaths }
}

type Proofs = ReadonlyMap<string, TableProof>

// A failure of the source proves nothing, and does not end the run.
async function askFor(tables: readonly UnseenTable[], prove: Prove): Promise<Proofs> {
  if (tables.length === 0) return new Map()
  const places = tables.map(({ path, scope, kind }) => ({
    path: parsePath(path),
    scope: parsePath(scope),
    kind,
  }))
  try {
    const proofs = await prove(places)
    return new Map(proofs.map((proof) => [JSON.stringify(proof.path), proof]))
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind === 'cancelled') throw error
    const { message } = error
    const unknown = places.map(({ path }): TableProof => ({ path, presence: 'unknown', message }))
    return new Map(unknown.map((proof) => [JSON.stringify(proof.path), proof]))
  }
}

function isHidden(proof: TableProof | undefined): boolean {
  return proof?.presence === 'present' || proof?.presence === 'refused'
}

function describeHidden({ path }: UnseenTable, proofs: Proofs): string {
  const name = parsePath(path).join('.')
  return proofs.get(path)?.presence === 'present'
    ? `${name} still exists, so the account may no longer see these tables.`
    : `The source refuses to answer about ${name}, so the account may no longer see these tables.`
}

function getMessage(proofs: Proofs, path: string | undefined): string {
  return proofs.get(path ?? '')?.message ?? NOT_ASKED
}

// The first steps of a shuffle.
function pickRandom<T>(items: readonly T[], count: number, random: () => number): T[] {
  const picked = [...items]
  for (let at = 0; at < Math.min(count, picked.length); at += 1) {
    const other = at + Math.floor(random() * (picked.length - at))
    const [one, two] = [picked[at], picked[other]]
    if (one !== undefined && two !== undefined) {
      picked[at] = two
      picked[other] = one
    }
  }
  return picked.slice(0, count)
}
