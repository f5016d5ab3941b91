import type { Database } from '../tables.ts'

/** A person's account as it is stored. */
export interface NewUser {
  id: string
  email: string
  name: string
  passwordHash: string
}

/** Adds an account; an address that is taken in any letter case gives back the account that has it. */
export async function insertUser(db: Database, user: NewUser): Promise<string> {
  const { id } = await db
    .insertInto('user_account')
    .values({
      id: user.id,
      email: user.email,
      email_key: user.email.toLowerCase(),
      name: user.name,
      password_hash: user.passwordHash,
    })
    .onConflict((conflict) =>
      // Writing nothing would give nothing back: the row is set to what it is.
      conflict.column('email_key').doUpdateSet((eb) => ({ email: eb.ref('user_account.email') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
