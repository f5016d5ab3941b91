/**
 * Pairs of SQL scripts that PostgreSQL executes: rows that the new table accepts are inserted into the old one, queries of
 * the old contract run on the new tables, and another role looks at the rows. What PostgreSQL shows to be wider is breaking.
 */

import type { Client } from 'pg'
import { diffContracts, DCS } from './contract-versions.ts'
import { highestLevel, type Level } from '../formats/diff/level.ts'
import { readContract } from './contract-versions.ts'
import type { Value } from '../formats/text/value.ts'

/** A script in parts: what it does around and after CREATE TABLE. */
interface Script {
  text: string
  statements: readonly string[]
}

interface Choices {
  place: string
  name: string
  columns: string
  constraints: string[]
  later: string[]
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const PLACES = [
  '',
  '',
  '',
  'set search_path to q',
  'set search_path to "q", public',
  "set schema 'q'",
]
const NAMES = ['t', 't', 't', 'T', '"t"', '"T"', 'public.t', 'q.t', 'Q.T', 'z.t']
const COLUMNS = [
  'a int, b int, c int',
  'a int, b int, c int',
  'A int, b int, C int',
  'a int, "b" int, "C" int',
  'a int not null, b int, c int',
  'a int, b int not null, c int',
]
const CONSTRAINTS = [
  'unique (a)',
  'unique (b)',
  'unique (a, b)',
  'unique (b, a)',
  'unique (a, b, c)',
  'unique nulls not distinct (a)',
  'unique nulls not distinct (a, b)',
  'primary key (a)',
  'primary key (a, b)',
  'constraint k check (a > 0)',
  'constraint k check (a > 1)',
  'constraint k check (a > 0) no inherit',
  'constraint k check (a > 0) not enforced',
  'constraint k check (a > b)',
  'constraint k check (a > b) not enforced',
  'foreign key (a) references public.r (x)',
  'foreign key (a) references public.r (x) on delete cascade',
  'foreign key (a) references public.r (x) not enforced',
  'foreign key (a, b) references public.r (x, y)',
  'foreign key (a, b) references public.r (x, y) match full',
  'exclude using btree (a with =)',
  'exclude using btree (a with =) where (b > 1)',
]
/** Statements about the table $; each is executed after CREATE TABLE. */
const LATER = [
  'create unique index on $ (a)',
  'create unique index on $ (a) where b > 1',
  'create unique index on $ (a) nulls not distinct',
  'create unique index on $ ((a + b))',
  'create unique index on $ (a, b)',
  'alter table $ add constraint n check (a > 0)',
  'alter table $ add constraint n check (a > 0) not valid',
  'alter table $ add constraint n check (a > b) not valid; alter table $ validate constraint n',
  'alter table $ add constraint n not null b not valid',
  'alter table $ add constraint n not null b',
  'alter table $ add constraint n foreign key (b) references public.r (x) not valid',
  'alter table $ add constraint n unique (b) deferrable',
  'alter table $ enable row level security',
  'alter table $ enable row level security; create policy p on $ using (a > 1)',
  'alter table $ enable row level security; create policy p on $ using (true)',
  'alter table $ enable row level security; create policy p on $ for insert with check (true)',
  'alter table $ enable row level security; alter table $ disable row level security',
  'create policy p on $ using (a > 1)',
  'revoke select on $ from pairs_reader',
  'revoke select on $ from pairs_reader; grant select on $ to pairs_reader',
  'alter table $ set schema z',
  'alter table $ rename to u',
  'alter table $ rename column c to d',
  'begin; alter table $ drop column c; rollback',
  'begin; alter table $ drop column c; commit',
]

function pick<T>(random: () => number, list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

function choose(random: () => number): Choices {
  const count = Math.floor(random() * 3)
  return {
    place: pick(random, PLACES),
    name: random() < 0.5 ? 't' : pick(random, NAMES),
    columns: pick(random, COLUMNS),
    constraints: Array.from({ length: count }, () => pick(random, CONSTRAINTS)),
    later: random() < 0.5 ? [] : [pick(random, LATER)],
  }
}

/** Creates two scripts that differ in one or two parts. */
function createPair(random: () => number): [Script, Script] {
  const before = choose(random)
  const after = { ...before }
  const other = choose(random)
  for (let changes = random() < 0.7 ? 1 : 2; changes > 0; changes -= 1) {
    const part = pick(random, [
      'place',
      'name',
      'columns',
      'constraints',
      'constraints',
      'later',
      'later',
    ] as const)
    Object.assign(after, { [part]: other[part] })
  }
  return [writeScript(before), writeScript(after)]
}

function writeScript({ place, name, columns, constraints, later }: Choices): Script {
  const parts = [columns, ...new Set(constraints)]
  const statements = [
    ...(place === '' ? [] : [place]),
    `create table ${name} (${parts.join(', ')})`,
    ...later.flatMap((one) => one.replaceAll('$', () => name).split('; ')),
  ]
  return { statements, text: statements.map((one) => `${one};\n`).join('') }
}

function toContract({ text }: Script): Value {
  return {
    ...DCS,
    dataContractSpecification: '0.9.3',
    servers: { prod: { type: 'postgres', host: 'h', port: 5432, database: 'd', schema: 'public' } },
    schema: { type: 'sql-ddl', specification: text },
  }
}

/**
 * Compares pairs with PostgreSQL. Returns the pairs that are wider and not breaking, and how many are wider at all.
 */
export async function checkPairs(
  client: Client,
  { seed, pairs }: { seed: number; pairs: number },
): Promise<{ passed: string[]; wider: number }> {
  await client.query(PREPARATION)
  const random = createRandom(seed)
  const oracle = new PairOracle(client)
  const passed: string[] = []
  let wider = 0
  for (let count = 0; count < pairs; count += 1) {
    const pair = createPair(random)
    const found = await oracle.findWidening(pair, random)
    if (found === undefined) continue
    wider += 1
    const [before, after] = pair
    if (comparePair(pair) !== 'breaking') passed.push(`${before.text}→\n${after.text}${found}`)
  }
  await client.query(CLEANING)
  return { passed, wider }
}

/** Returns the level of the change from one script to another. */
function comparePair([before, after]: readonly [Script, Script]): Level {
  return highestLevel(diffContracts(toContract(before), toContract(after)))
}

/** Creates what the scripts need. */
const PREPARATION = `
  create schema q; create schema z;
  create table r (x int primary key, y int, unique (x, y));
  insert into r values (1, 1), (2, 2);
  do $$ begin create role pairs_reader; exception when duplicate_object then null; end $$;
  grant usage on schema public, q, z to pairs_reader;
  alter default privileges grant select on tables to pairs_reader;
  create function public.put(target text, list jsonb) returns void language plpgsql as $$
  declare one jsonb;
  begin
    for one in select * from jsonb_array_elements(list) loop
      begin
        execute format('insert into %s values ($1, $2, $3)', target)
          using (one->>0)::int, (one->>1)::int, (one->>2)::int;
      exception when integrity_constraint_violation then null;
      end;
    end loop;
  end $$;
`

type Row = readonly (number | null)[]

/** Ends what the preparation changed outside of the database. */
const CLEANING = 'drop owned by pairs_reader; drop role pairs_reader'

/** Executes scripts in a transaction that is rolled back. */
class PairOracle {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Returns what a consumer of the old script loses or gets that it was not promised; undefined if nothing is found. */
  async findWidening(
    [before, after]: readonly [Script, Script],
    random: () => number,
  ): Promise<string | undefined> {
    const rows = Array.from({ length: 8 }, () =>
      [0, 1, 2].map(() => pick(random, [null, 0, 1, 2, 2])),
    )
    const older = await this.#inTransaction(() => this.#build(before, rows, true))
    const newer = await this.#inTransaction(() => this.#build(after, rows, true))
    if (older === undefined || newer === undefined) return undefined
    const [model] = readContract(toContract(before)).contract.models
    const path = [...(model?.namespace?.split('.') ?? []), model?.name ?? '']
      .map((name) => fold(name, before))
      .join('.')
    const names = model?.fields.map(({ name }) => fold(name, before)).join(', ') ?? ''
    const query = `select ${names} from ${path}`
    const seen = await this.#inTransaction(async () => {
      await this.#build(after, rows, true)
      return await this.#query(query, 'pairs_reader')
    })
    const expected = await this.#inTransaction(async () => {
      await this.#build(before, rows, true)
      return await this.#query(query, 'pairs_reader')
    })
    if (expected === undefined) return undefined
    if (seen === undefined) return `fails: ${query}`
    if (older.length === newer.length && seen.length !== expected.length)
      return 'the reader sees other rows'
    if (await this.#accepts(before, newer)) return undefined
    return `the old table rejects ${JSON.stringify(newer)}`
  }

  async #accepts(script: Script, rows: readonly Row[]): Promise<boolean> {
    for (const isFirst of [true, false]) {
      const kept = await this.#inTransaction(() => this.#build(script, rows, isFirst))
      if (kept?.length === rows.length) return true
    }
    return false
  }

  async #inTransaction<T>(run: () => Promise<T>): Promise<T | undefined> {
    await this.#client.query('begin; set local search_path to public')
    try {
      return await run()
    } catch (error) {
      if (error instanceof Error && 'severity' in error) return undefined
      throw error
    } finally {
      await this.#client.query('rollback; reset role')
    }
  }

  // Rows are inserted after CREATE TABLE, if they satisfy what follows, and at the end. Returns those that remain.
  async #build(script: Script, rows: readonly Row[], isFirst: boolean): Promise<Row[]> {
    const list = JSON.stringify(rows)
    for (const statement of script.statements) {
      const table = await this.#findTable()
      if (/^(?:begin|commit|rollback)$/.test(statement)) {
        await this.#client.query(
          { begin: 'savepoint own', commit: 'release own', rollback: 'rollback to own' }[
            statement
          ] ?? '',
        )
        continue
      }
      if (table === undefined || !isFirst) {
        await this.#client.query(statement)
        continue
      }
      await this.#client.query('savepoint before')
      await this.#client.query('select public.put($1, $2)', [table, list])
      try {
        await this.#client.query(statement)
      } catch {
        await this.#client.query('rollback to before')
        await this.#client.query(statement)
      }
    }
    const table = (await this.#findTable()) ?? ''
    const { rows: counted } = await this.#client.query<{ count: number }>(
      `select count(*)::int from ${table}`,
    )
    if (counted[0]?.count === 0)
      await this.#client.query('select public.put($1, $2)', [table, list])
    await this.#client.query('set local search_path to public')
    const result = await this.#client.query<(number | null)[]>({
      text: `select * from ${table}`,
      rowMode: 'array',
    })
    return result.rows
  }

  async #findTable(): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname in ('public', 'q', 'z') and relkind = 'r' and relname <> 'r'`,
    )
    return rows[0]?.name
  }

  async #query(text: string, role: string): Promise<unknown[] | undefined> {
    await this.#client.query(`set local role ${role}`)
    try {
      return (await this.#client.query(text)).rows
    } catch {
      return undefined
    }
  }
}

// A name in a query: as the script writes it.
function fold(name: string, { text }: Script): string {
  return text.includes(`"${name}"`) ? `"${name}"` : name
}
