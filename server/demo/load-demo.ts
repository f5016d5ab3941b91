import { join } from 'node:path'
import { sql } from 'kysely'
import { ConfigError } from '../platform/config.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { readTime, type Instant } from '../platform/kit/clock.ts'
import { prepareSecretFile, writeSecretFile } from '../platform/kit/secret-file.ts'
import { isEmpty, setUp } from '../people/organizations/service.ts'
import type { Store } from '../store.ts'
import { createEstate, type Estate, type PastEvent } from './estate.ts'
import { deleteLoad, emptyStore, insertLoad, isLoadUnfinished, lockLoad } from './load-store.ts'
import { findOwner, readMesh, rewriteTexts, type DatedDocument } from './mesh.ts'
import { listAgreementEvents } from './agreements.ts'
import { addFollows } from './follows.ts'
import { sealActivity } from '../ledger/activity/seal-service.ts'
import { addIdentity } from './identity.ts'
import { startNotices, type DemoNotices } from './notices.ts'
import {
  addMembers,
  atFoundation,
  createTeamKeys,
  listTeamOwners,
  newPeople,
  PEOPLE,
  type Principals,
} from './people.ts'
import { addPlainRecords } from './plain-records.ts'
import { acceptDifferences } from './reality.ts'
import { newOwnerCaller, ORGANIZATION, registerDocument } from './register.ts'
import { formatSignIns, getSignInFile } from './sign-ins.ts'
import { createDemoSource } from './source.ts'
import { countReaders } from '../documents/search/reader-service.ts'
import { reportUsage } from './usage.ts'
import { listTests } from './tests.ts'

const KEY_FILE = 'demo-api-key'
const HOUR_MS = 60 * 60 * 1000

/** The steps of a load, in their order. */
export const LOAD_STEPS = [
  'begun',
  'set up',
  'members',
  'teams',
  'keys',
  'source',
  'integrations',
  'first document',
  'history',
  'records',
  'usage',
  'started',
  'notices',
  'identity',
] as const

/** A step of a load. */
export type LoadStep = (typeof LOAD_STEPS)[number]

/**
 * Fills an empty database with the example mesh and the runs of a source, with a history of several weeks. Writes the
 * secret of an organization key and the passwords of three people to files in the data directory. A database that has
 * an organization is not changed, unless a load that was cut off left it: then it is emptied and loaded again. `reached`
 * is called after each step.
 *
 * Errors: ConfigError if the files cannot be written; nothing is written to the database then.
 */
export async function loadDemo(
  services: Services,
  store: Store,
  dataDirectory: string,
  reached: (step: LoadStep) => void = () => undefined,
): Promise<void> {
  const { db, bulkDb, log } = services
  if (!(await isEmpty(db)) && !(await isLoadUnfinished(db))) {
    log.info('the database is not empty: the demo is not loaded again')
    return
  }
  const files = {
    keyFile: join(dataDirectory, KEY_FILE),
    signInFile: getSignInFile(dataDirectory),
  }
  for (const path of Object.values(files)) prepareFile(path)
  // An invalid mesh fails before the organization is created.
  const mesh = readMesh()
  await bulkDb.transaction().execute(async (transaction) => {
    // The transaction only holds the lock; a server that ends idle ones would let a second process load, too.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    if (!(await lockLoad(transaction))) {
      log.info('another process is loading the demo')
      return
    }
    if (!(await isEmpty(db))) {
      if (!(await isLoadUnfinished(db))) return
      log.warn('the demo was loaded only in part: it is loaded again from the beginning')
      await emptyStore(db)
    }
    await loadEmptyStore({ services, store, mesh, reached }, files)
  })
  // The entries are weeks old; until they are sealed, the health of the installation reports them as late.
  await sealActivity(services)
}

/** The parts of a load that every step needs. */
interface LoadInput {
  services: Services
  store: Store
  mesh: readonly DatedDocument[]
  /** Called after each step. */
  reached: (step: LoadStep) => void
}

async function loadEmptyStore(
  { services, store, mesh, reached }: LoadInput,
  { keyFile, signInFile }: { keyFile: string; signInFile: string },
): Promise<void> {
  const { db, log } = services
  await insertLoad(db)
  reached('begun')
  const people = newPeople()
  const [owner, ...members] = people
  const created = await setUp(
    atFoundation(services),
    { ...owner, organization: ORGANIZATION },
    (secret) => {
      writeSecretFile(keyFile, secret)
      writeSecretFile(signInFile, formatSignIns(people))
    },
  )
  if (created === undefined) {
    await deleteLoad(db)
    return
  }
  reached('set up')
  const { organizationId, userId } = created
  const founder = { email: owner.email, userId }
  const principals = await addMembers(services, organizationId, founder, {
    newcomers: members,
    mesh,
  })
  reached('members')
  const notices = await startNotices(services)
  try {
    await loadMesh({ services, store, mesh, reached, organizationId, principals, notices })
    const readers = PEOPLE.map(({ email }) =>
      newOwnerCaller(organizationId, principals.get(email) ?? ''),
    )
    await notices.complete(readers)
  } finally {
    await notices.stop()
  }
  reached('notices')
  await addIdentity(services, organizationId, principals)
  reached('identity')
  await deleteLoad(db)
  log.info({ keyFile }, 'the demo mesh is loaded; the file contains an organization key')
  log.info({ signInFile }, 'to sign in to the demo, use an address and its password from the file')
}

/**
 * Keeps what a load that was cut off has written, for a start without the demo: people may work in the catalog from then
 * on, so a later start with the demo must not empty it.
 */
export async function keepUnfinishedDemo({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  if (!(await isLoadUnfinished(db))) return
  await db.transaction().execute(async (transaction) => {
    // Otherwise another process is loading it.
    if (!(await lockLoad(transaction))) return
    await deleteLoad(transaction)
    log.warn('the demo was loaded only in part; a complete one needs another database')
  })
}

function prepareFile(path: string): void {
  try {
    prepareSecretFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `cannot write ${path}: ${reason}. Set PORTBOOK_DATA_DIR to a folder that Portbook may write`,
    )
  }
}

/** The organization that is loaded. */
interface LoadContext extends LoadInput {
  organizationId: string
  principals: Principals
  notices: DemoNotices
}

/** Registers the documents and replays the runs of the source, oldest first. */
async function loadMesh(context: LoadContext): Promise<void> {
  const { services, organizationId, principals, store, mesh, reached } = context
  const founder = findFounder(principals)
  const now = await readTime(services.db, services.clock)
  // The time that loading takes is added to all ages, which keeps the order of past events.
  const startedAtMs = performance.now()
  const growOlder = (ageMs: number): number => ageMs + performance.now() - startedAtMs
  const teams = mesh.filter(isTeam)
  for (const team of teams) {
    const caller = newOwnerCaller(organizationId, founder)
    await registerDocument(services, caller, team, growOlder(team.hoursAgo * HOUR_MS))
  }
  reached('teams')
  const keys = await createTeamKeys(services, organizationId, principals)
  reached('keys')
  const source =
    services.ownSource && (await createDemoSource(store, services.ownSource, services.log))
  try {
    reached('source')
    const ageMs = growOlder((teams.at(-1)?.hoursAgo ?? 0) * HOUR_MS)
    const created = { principal: founder, now, ageMs }
    const estate = source && (await createEstate(services, organizationId, source, created))
    reached('integrations')
    const past = listPast(context, { keys, estate, now })
    for (const [index, event] of past.toSorted((a, b) => b.ageMs - a.ageMs).entries()) {
      await event.replay(growOlder(event.ageMs))
      if (index === 0) reached('first document')
    }
    reached('history')
    await addPlainRecords(services, newOwnerCaller(organizationId, founder), now)
    await addFollows(services, organizationId, principals)
    await acceptDifferences(services, organizationId, principals)
    reached('records')
    await reportUsage(services, newOwnerCaller(organizationId, founder), now)
    await countReaders(services)
    reached('usage')
    await estate?.start()
    reached('started')
  } finally {
    await source?.close()
  }
}

/** Lists all past events: documents, runs, tests, agreements and their notifications. */
function listPast(
  { services, organizationId, principals, notices, mesh }: LoadContext,
  {
    keys,
    estate,
    now,
  }: { keys: ReadonlyMap<string, string>; estate: Estate | undefined; now: Instant },
): PastEvent[] {
  const founder = findFounder(principals)
  const owners = listTeamOwners(mesh)
  const registrations = selectDocuments(mesh, estate).map((document) => ({
    ageMs: document.hoursAgo * HOUR_MS,
    async replay(age: number) {
      // The owner of the team wrote the first version, and the team's pipeline the later ones.
      const team = findOwner(document) ?? 'data-platform'
      const key = document.isEarlier ? undefined : keys.get(team)
      const author = key ?? principals.get(owners.get(team) ?? '') ?? founder
      const caller = newOwnerCaller(organizationId, author)
      await registerDocument(services, caller, document, age)
    },
  }))
  const tester = keys.get('fleet') ?? founder
  const tests = listTests(services, organizationId, tester, now)
  const connector = keys.get('data-platform') ?? founder
  const parties = { services, organizationId, principals, connector, now }
  const agreements = listAgreementEvents(parties)
  return [...registrations, ...(estate?.history ?? []), ...tests, ...agreements, ...notices.history]
}

function findFounder(principals: Principals): string {
  return principals.get(PEOPLE[0].email) ?? 'system'
}

function isTeam({ folder }: DatedDocument): boolean {
  return folder === 'teams'
}

const WAREHOUSE_ASSET = /\bwarehouse\.operations(?:\.\w+){1,2}\b/g

/** Selects the documents of teams, without the assets of the source, which its runs create and ports reference. */
function selectDocuments(
  mesh: readonly DatedDocument[],
  estate: Estate | undefined,
): DatedDocument[] {
  const documents = mesh.filter((document) => !isTeam(document))
  if (estate === undefined) return documents
  return rewriteTexts(documents, (text) =>
    text.replace(WAREHOUSE_ASSET, (id) => estate.findAssetId(id.split('.').slice(2))),
  ).filter(({ folder, id }) => folder !== 'assets' || !isOfSource(id))
}

function isOfSource(id: string): boolean {
  return id === 'warehouse.operations' || id.startsWith('warehouse.operations.')
}
