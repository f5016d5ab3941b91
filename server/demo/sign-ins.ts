import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDemoPeople } from '../people/organizations/demo-service.ts'
import type { Services } from '../requests/http/endpoint.ts'

const FILE = 'demo-sign-in'

/** A person who can sign in to the demo. */
interface DemoSignIn {
  email: string
  password: string
  role: string
}

/** Returns the path of the file with the addresses and passwords of the demo. */
export function getSignInFile(dataDirectory: string): string {
  return join(dataDirectory, FILE)
}

/** Formats the file: an address and its password in each line. */
export function formatSignIns(people: readonly Omit<DemoSignIn, 'role'>[]): string {
  return people.map(({ email, password }) => `${email} ${password}`).join('\n')
}

/**
 * Finds the people who can sign in to the demo that this process serves, with the passwords of its first start. Empty
 * unless this is the demo; people without a password in the file are left out.
 */
export async function findDemoSignIns(
  services: Pick<Services, 'db' | 'installation'>,
  dataDirectory: string,
): Promise<DemoSignIn[]> {
  const people = await findDemoPeople(services)
  const path = getSignInFile(dataDirectory)
  if (people.length === 0 || !existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return people.flatMap(({ email, role }) => {
    const password = lines.find((line) => line.startsWith(`${email} `))?.slice(email.length + 1)
    return password === undefined ? [] : [{ email, role, password }]
  })
}
