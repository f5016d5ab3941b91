import { join } from 'node:path'
import type { Services } from '../http/endpoint.ts'
import { writeSecretFile } from '../kit/secret-file.ts'
import { isEmpty, setUp } from '../organizations/service.ts'
import { findOwner, readMesh, type DatedDocument } from './mesh.ts'
import { addMembers, createTeamKeys, newPeople, type Newcomer } from './people.ts'
import { newOwnerCaller, ORGANIZATION, registerDocument } from './register.ts'

const KEY_FILE = 'demo-api-key'
const SIGN_IN_FILE = 'demo-sign-in'

/**
 * Fills an empty store with the example mesh, whose history reaches some weeks back, and writes the
 * secret of an organization key and the passwords of three people to files in the data directory. A
 * store that has an organization is not changed.
 */
export async function loadDemo(services: Services, dataDirectory: string): Promise<void> {
  const { db, clock, log } = services
  if (!(await isEmpty(db))) {
    log.info('the store is not empty: the demo is not loaded again')
    return
  }
  const keyFile = join(dataDirectory, KEY_FILE)
  const signInFile = join(dataDirectory, SIGN_IN_FILE)
  const people = newPeople()
  const [owner, ...members] = people
  // A mesh that cannot be read fails before there is an organization.
  const documents = readMesh()
  const done = await setUp(db, clock, { ...owner, organization: ORGANIZATION }, (secret) => {
    writeSecretFile(keyFile, secret)
    writeSecretFile(signInFile, formatSignIns(people))
  })
  if (done === undefined) return
  const { organizationId, userId } = done
  const principals = [`user:${userId}`, ...(await addMembers(services, organizationId, members))]
  await loadMesh(services, organizationId, principals, documents)
  log.info({ keyFile }, 'the demo mesh is loaded; the file holds an organization key')
  log.info({ signInFile }, 'to sign in to the demo, take an address and its password from the file')
}

function formatSignIns(people: readonly Newcomer[]): string {
  return people.map(({ email, password }) => `${email} ${password}`).join('\n')
}

async function loadMesh(
  services: Services,
  organizationId: string,
  principals: readonly string[],
  documents: readonly DatedDocument[],
): Promise<void> {
  const [founder = 'system'] = principals
  const isTeam = ({ folder }: DatedDocument): boolean => folder === 'teams'
  for (const team of documents.filter(isTeam)) {
    await registerDocument(services, newOwnerCaller(organizationId, founder), team)
  }
  const keys = await createTeamKeys(services, organizationId, principals)
  for (const document of documents.filter((one) => !isTeam(one))) {
    // The first version was written by hand, the later ones by the team's pipeline.
    const key = document.isEarlier ? undefined : keys.get(findOwner(document) ?? 'data-platform')
    await registerDocument(services, newOwnerCaller(organizationId, key ?? founder), document)
  }
}
