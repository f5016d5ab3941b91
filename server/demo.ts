import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { readText, type MediaType, type SourceText } from '../formats/text.ts'
import { fieldOf, textOf } from '../formats/value.ts'
import type { Caller } from './access/caller.ts'
import { createApiKey } from './api-keys/service.ts'
import { putAsset } from './assets/service.ts'
import { CONTRACTS } from './data-contracts/service.ts'
import { PRODUCTS } from './data-products/service.ts'
import { putDocument } from './documents/service.ts'
import { refuseEndedFormat } from './documents/sunset.ts'
import { Refusal } from './errors.ts'
import type { Services } from './http/endpoint.ts'
import { findTime } from './integrations/service.ts'
import type { Clock } from './kit/clock.ts'
import { writeSecretFile } from './kit/secret-file.ts'
import { newToken } from './kit/token.ts'
import { addMember, isEmpty, setUp } from './organizations/service.ts'
import { putTeam } from './teams/service.ts'
import { passwordHashOf } from './users/guess-service.ts'

const MESH = fileURLToPath(new URL('../examples/mesh', import.meta.url))
const KEY_FILE = 'demo-api-key'
const SIGN_IN_FILE = 'demo-sign-in'
const ORGANIZATION = 'Velmora Rail Cargo'

/** Who can sign in: the first owns the organization. The addresses are those of members of teams. */
const PEOPLE = [
  { name: 'Henrike Vossberg', email: 'henrike.vossberg@velmora.example' },
  { name: 'Ilka Brandauer', email: 'ilka.brandauer@velmora.example' },
  { name: 'Noemi Castellani', email: 'noemi.castellani@velmora.example' },
] as const

/** Keys that programs of the teams would have. Nobody knows their secrets, so nobody can use them. */
const TEAM_KEYS = [
  { team: 'train-control', displayName: 'CI of Train Control', daysLeft: undefined, maker: 1 },
  { team: 'fleet', displayName: 'CI of Wagon Fleet', daysLeft: 9, maker: 0 },
  { team: 'customer-logistics', displayName: 'CI of Customer Logistics', daysLeft: 180, maker: 2 },
  { team: 'terminals', displayName: 'Terminal publisher', daysLeft: 90, maker: 2 },
  { team: 'data-platform', displayName: 'Nightly metadata sync', daysLeft: 300, maker: 0 },
] as const

const DAY_HOURS = 24
const DAY_MS = DAY_HOURS * 60 * 60 * 1000

/**
 * Fills an empty store with the example mesh, whose history reaches some weeks back, and writes the
 * secret of an organization key and the passwords of three people beside the data. A store that holds
 * an organization is left alone.
 */
export async function loadDemo(services: Services, dataDirectory: string): Promise<void> {
  const { db, clock, log } = services
  if (!(await isEmpty(db))) {
    log.warn('the demo mesh is loaded into an empty store only')
    return
  }
  const keyFile = join(dataDirectory, KEY_FILE)
  const signInFile = join(dataDirectory, SIGN_IN_FILE)
  const people = PEOPLE.map((person) => ({ ...person, password: newToken('demo_') }))
  const [owner, ...members] = people
  if (owner === undefined) return
  // A mesh that cannot be read is found out before there is an organization.
  const entries = datedEntries()
  const done = await setUp(db, clock, { ...owner, organization: ORGANIZATION }, (secret) => {
    writeSecretFile(keyFile, secret)
    writeSecretFile(signInFile, signInText(people))
  })
  if (done === undefined) return
  const principals = [`user:${done.userId}`]
  for (const { password, ...member } of members) {
    const passwordHash = await passwordHashOf(password)
    const person = { ...member, passwordHash, role: 'Member' as const }
    principals.push(`user:${await addMember(db, done.organizationId, person)}`)
  }
  await loadMesh(services, done.organizationId, principals, entries)
  log.info({ keyFile }, 'the demo mesh is loaded; the file holds an organization key')
  log.info({ signInFile }, 'to sign in to the demo, take an address and its password from the file')
}

function signInText(people: readonly { email: string; password: string }[]): string {
  const lines = people.map(({ email, password }) => `${email} ${password}`)
  return lines.join('\n')
}

type Folder = 'teams' | 'data-contracts' | 'data-products' | 'assets'

/** One document of the mesh. */
interface Entry {
  folder: Folder
  id: string
  source: SourceText
  /** A version that was replaced since. */
  isEarlier: boolean
}

/** A document, and how long ago it was registered. */
interface DatedEntry extends Entry {
  hoursAgo: number
}

function isTeam({ folder }: Entry): boolean {
  return folder === 'teams'
}

async function loadMesh(
  services: Services,
  organizationId: string,
  principals: readonly string[],
  entries: readonly DatedEntry[],
): Promise<void> {
  const [founder = 'system'] = principals
  for (const entry of entries.filter(isTeam)) {
    await register(services, callerFor(organizationId, founder), entry)
  }
  const makers = await makeKeys(services, organizationId, principals)
  for (const entry of entries.filter((one) => !isTeam(one))) {
    const team = ownerOf(entry)
    // The first version was written by hand, the later ones by the team's pipeline.
    const maker = entry.isEarlier ? undefined : makers.get(team ?? 'data-platform')
    await register(services, callerFor(organizationId, maker ?? founder), entry)
  }
}

/** Makes the keys of teams. Returns their principals by the team. */
async function makeKeys(
  { db, clock }: Services,
  organizationId: string,
  principals: readonly string[],
): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  const now = Date.parse(await findTime(db, clock))
  for (const { team, displayName, daysLeft, maker } of TEAM_KEYS) {
    const expiresOn =
      daysLeft === undefined
        ? undefined
        : new Date(now + daysLeft * DAY_MS).toISOString().slice(0, 10)
    const key = { scope: 'team' as const, team, userId: undefined, displayName, expiresOn }
    const by = principals[maker] ?? 'system'
    made.set(team, `api-key:${(await createApiKey(db, clock, organizationId, key, by)).id}`)
  }
  return made
}

async function register(services: Services, caller: Caller, entry: DatedEntry): Promise<void> {
  const { folder, id, source } = entry
  const dated = { ...services, clock: before(services.clock, entry.hoursAgo) }
  const put = { ...PLAIN, id, body: source }
  switch (folder) {
    case 'teams':
      await putTeam(dated.db, dated.clock, caller, { ...PLAIN, id, source })
      return
    case 'assets':
      await putAsset(dated, caller, put)
      return
    case 'data-contracts':
      if (await isTaken(services, entry)) await putDocument(dated, caller, CONTRACTS, put)
      return
    case 'data-products':
      if (await isTaken(services, entry)) await putDocument(dated, caller, PRODUCTS, put)
  }
}

const PLAIN = {
  conditions: { ifMatch: undefined, ifNoneMatch: undefined },
  strict: false,
  dryRun: false,
  requestId: 'demo',
}

// After the end of DPS or DCS the mesh still loads, without the documents that are written in it,
// whatever day they are registered on.
async function isTaken(services: Services, { folder, id, source }: Entry): Promise<boolean> {
  try {
    refuseEndedFormat(formatOf(source), await findTime(services.db, services.clock), services)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    services.log.warn({ [folder]: id }, 'left out of the demo: its format has ended')
    return false
  }
}

function formatOf({ value }: SourceText): string {
  if (fieldOf(value, 'dataContractSpecification') !== undefined) return 'dcs'
  const isDps = fieldOf(value, 'dataProductSpecification') ?? fieldOf(value, 'info')
  return isDps === undefined ? 'current' : 'dps'
}

function before(clock: Clock, hours: number): Clock {
  return { now: sql`(${clock.now} - make_interval(mins => ${Math.round(hours * 60)}))` }
}

function callerFor(organizationId: string, principal: string): Caller {
  return {
    organizationId,
    organizationName: ORGANIZATION,
    principal,
    keyId: undefined,
    keyName: '',
    scope: 'organization',
    team: undefined,
    readOnly: false,
    organizationOwner: true,
    roles: new Map(),
  }
}

function ownerOf({ source: { value } }: Entry): string | undefined {
  return (
    textOf(fieldOf(fieldOf(value, 'team'), 'name')) ??
    textOf(fieldOf(fieldOf(value, 'info'), 'owner'))
  )
}

/**
 * All documents, the oldest first, so that the feed tells them in order: the teams, then week by week
 * what they registered. What has an earlier version got its present one in the last days: that is
 * what changed this week.
 */
function datedEntries(): DatedEntry[] {
  const kinds = ['data-contracts', 'data-products'] as const
  const earlier = kinds.flatMap((folder) => entriesIn(folder, true))
  const current = kinds.flatMap((folder) => entriesIn(folder))
  const changed = new Set(earlier.map(({ folder, id }) => `${folder}/${id}`))
  const isChanged = ({ folder, id }: Entry): boolean => changed.has(`${folder}/${id}`)
  const first = [...earlier, ...current.filter((entry) => !isChanged(entry))]
  const latest = current.filter(isChanged)
  const dated = [
    ...spread(parentsFirst(entriesIn('teams')), 70 * DAY_HOURS, 61 * DAY_HOURS),
    ...spread(mixed(first), 58 * DAY_HOURS, 9 * DAY_HOURS),
    ...spread(entriesIn('assets'), 30 * DAY_HOURS, 29 * DAY_HOURS),
    ...spread(mixed(latest), 6 * DAY_HOURS, 2),
  ]
  return dated.toSorted((a, b) => b.hoursAgo - a.hoursAgo)
}

function spread(entries: readonly Entry[], fromHours: number, toHours: number): DatedEntry[] {
  const step = (fromHours - toHours) / Math.max(1, entries.length - 1)
  return entries.map((entry, at) => ({ ...entry, hoursAgo: fromHours - at * step }))
}

// By the end of the id: products and contracts of all teams come in turn, the same at every start.
function mixed(entries: readonly Entry[]): Entry[] {
  const ending = ({ id, folder }: Entry): string => `${id.slice(-4)}/${folder}/${id}`
  return entries.toSorted((a, b) => (ending(a) < ending(b) ? -1 : 1))
}

function entriesIn(folder: Folder, isEarlier = false): Entry[] {
  const directory = join(MESH, isEarlier ? 'earlier' : '', folder)
  return readdirSync(directory)
    .toSorted()
    .map((file) => {
      const mediaType: MediaType = file.endsWith('.yaml') ? 'application/yaml' : 'application/json'
      const source = readText(readFileSync(join(directory, file), 'utf8'), mediaType)
      if (!source.ok) throw new Error(`the example ${file} is not readable`)
      return { folder, id: file.replace(/\.\w+$/, ''), source, isEarlier }
    })
}

function parentsFirst(teams: readonly Entry[]): Entry[] {
  const sorted: Entry[] = []
  const placed = new Set<string>()
  while (sorted.length < teams.length) {
    const ready = teams.filter(({ id, source }) => {
      const parent = textOf(fieldOf(source.value, 'parent'))
      return !placed.has(id) && (parent === undefined || placed.has(parent))
    })
    if (ready.length === 0) throw new Error('the example teams do not form a tree')
    for (const team of ready) placed.add(team.id)
    sorted.push(...ready)
  }
  return sorted
}
