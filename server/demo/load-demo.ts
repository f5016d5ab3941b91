import { join } from 'node:path'
import type { Services } from '../http/endpoint.ts'
import { readTime } from '../kit/clock.ts'
import { writeSecretFile } from '../kit/secret-file.ts'
import { isEmpty, setUp } from '../organizations/service.ts'
import type { Store } from '../store.ts'
import { createEstate, type Estate, type PastEvent } from './estate.ts'
import { findOwner, readMesh, type DatedDocument } from './mesh.ts'
import { addMembers, createTeamKeys, newPeople, type Newcomer } from './people.ts'
import { addPlainRecords } from './plain-records.ts'
import { newOwnerCaller, ORGANIZATION, registerDocument } from './register.ts'
import { createDemoSource } from './source.ts'
import { reportUsage } from './usage.ts'
import { listTests } from './tests.ts'

const KEY_FILE = 'demo-api-key'
const SIGN_IN_FILE = 'demo-sign-in'
const HOUR_MS = 60 * 60 * 1000

/**
 * Fills an empty database with the example mesh and the runs of a source, with a history of several weeks. Writes the
 * secret of an organization key and the passwords of three people to files in the data directory. A database that has
 * an organization is not changed.
 */
export async function loadDemo(
  services: Services,
  store: Store,
  dataDirectory: string,
): Promise<void> {
  const { db, log } = services
  if (!(await isEmpty(db))) {
    log.info('the database is not empty: the demo is not loaded again')
    return
  }
  const keyFile = join(dataDirectory, KEY_FILE)
  const signInFile = join(dataDirectory, SIGN_IN_FILE)
  const people = newPeople()
  const [owner, ...members] = people
  // An invalid mesh fails before the organization is created.
  readMesh()
  const created = await setUp(services, { ...owner, organization: ORGANIZATION }, (secret) => {
    writeSecretFile(keyFile, secret)
    writeSecretFile(signInFile, formatSignIns(people))
  })
  if (created === undefined) return
  const { organizationId, userId } = created
  const principals = [`user:${userId}`, ...(await addMembers(services, organizationId, members))]
  await loadMesh(services, organizationId, principals, store)
  log.info({ keyFile }, 'the demo mesh is loaded; the file contains an organization key')
  log.info({ signInFile }, 'to sign in to the demo, use an address and its password from the file')
}

function formatSignIns(people: readonly Newcomer[]): string {
  return people.map(({ email, password }) => `${email} ${password}`).join('\n')
}

/** Registers the documents and replays the runs of the source, oldest first. */
async function loadMesh(
  services: Services,
  organizationId: string,
  principals: readonly string[],
  store: Store,
): Promise<void> {
  const [founder = 'system'] = principals
  const now = await readTime(services.db, services.clock)
  // The time that loading takes is added to all ages, which keeps the order of past events.
  const startedAtMs = performance.now()
  const growOlder = (ageMs: number): number => ageMs + performance.now() - startedAtMs
  const teams = readMesh().filter(isTeam)
  for (const team of teams) {
    const caller = newOwnerCaller(organizationId, founder)
    await registerDocument(services, caller, team, growOlder(team.hoursAgo * HOUR_MS))
  }
  const keys = await createTeamKeys(services, organizationId, principals)
  const source =
    services.ownSource && (await createDemoSource(store, services.ownSource, services.log))
  try {
    const ageMs = growOlder((teams.at(-1)?.hoursAgo ?? 0) * HOUR_MS)
    const created = { principal: founder, now, ageMs }
    const estate = source && (await createEstate(services, organizationId, source, created))
    const registrations = readDocuments(estate).map((document) => ({
      ageMs: document.hoursAgo * HOUR_MS,
      async replay(age: number) {
        // A person wrote the first version, and the team's pipeline the later ones.
        const key = document.isEarlier
          ? undefined
          : keys.get(findOwner(document) ?? 'data-platform')
        const caller = newOwnerCaller(organizationId, key ?? founder)
        await registerDocument(services, caller, document, age)
      },
    }))
    const tester = keys.get('fleet') ?? founder
    const tests = listTests(services, organizationId, tester, now)
    const past: PastEvent[] = [...registrations, ...(estate?.history ?? []), ...tests]
    for (const { ageMs: age, replay } of past.toSorted((a, b) => b.ageMs - a.ageMs)) {
      await replay(growOlder(age))
    }
    await addPlainRecords(services, newOwnerCaller(organizationId, founder), now)
    await reportUsage(services, newOwnerCaller(organizationId, founder), now)
    await estate?.start()
  } finally {
    await source?.close()
  }
}

function isTeam({ folder }: DatedDocument): boolean {
  return folder === 'teams'
}

const WAREHOUSE_ASSET = /\bwarehouse\.operations(?:\.\w+){1,2}\b/g

/** Reads the documents of teams, without the assets of the source, which its runs create and ports reference. */
function readDocuments(estate: Estate | undefined): DatedDocument[] {
  const documents = readMesh((text) =>
    estate === undefined
      ? text
      : text.replace(WAREHOUSE_ASSET, (id) => estate.findAssetId(id.split('.').slice(2))),
  ).filter((document) => !isTeam(document))
  if (estate === undefined) return documents
  return documents.filter(({ folder, id }) => folder !== 'assets' || !isOfSource(id))
}

function isOfSource(id: string): boolean {
  return id === 'warehouse.operations' || id.startsWith('warehouse.operations.')
}
