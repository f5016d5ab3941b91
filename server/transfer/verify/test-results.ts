import { OUTCOMES } from '../../reports/test-results/test-result.ts'
import { RESTORE, sqlCheck, type Check } from './check.ts'

const readText = (member: string): string =>
  `nullif(case when json_typeof(sent -> '${member}') = 'string' then sent ->> '${member}' end, '')`

const KNOWN = OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')

// The contract of a result on a branch is that of its path, if its text names none.
const MEMBERS = [
  ['contract_id', `coalesce(${readText('dataContractId')}, contract_id)`],
  ['server', readText('server')],
  [
    'result',
    `case when lower(${readText('result')}) in (${KNOWN}) then lower(${readText('result')}) else 'unknown' end`,
  ],
] as const

/** Checks that the outcomes of test results are those of their texts. */
export const TEST_RESULT_CHECKS: readonly Check[] = [
  sqlCheck(
    {
      name: 'the contracts and outcomes of test results are those of their texts',
      repair: `${RESTORE} Or publish the result again with a change.`,
    },
    `select organization_id,
       format('test result "%s": its %s is not that of its text', external_id, member) as finding
     from (
       select *, ltrim(document, U&'\\FEFF')::json as sent from test_result
     ) as stored
     cross join lateral (
       values ${MEMBERS.map(([name, text]) => `('${name}', ${name}, ${text})`).join(', ')}
     ) as expected (member, stored_text, sent_text)
     where stored_text is distinct from sent_text`,
  ),
]
