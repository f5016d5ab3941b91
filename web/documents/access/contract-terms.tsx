import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { readContractTerms, type ContractTerms } from '../../../formats/data-contract/terms.ts'
import { readAcceptedJson } from '../../../formats/text/json-read.ts'
import { api } from '../../api/client.ts'
import { Classification } from '../../parts/classification.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameLink } from '../../parts/link.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Facts } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { ClassificationsProvider } from '../classifications.tsx'
import { storedQuery } from '../stored-document.ts'

const NO_TERMS: ContractTerms = { texts: [], roles: [] }

/** Loads the terms of a contract; null = no contract. */
export function useContractTerms(contractId: string | null) {
  const query = useQuery({
    ...storedQuery({ api: '/api/datacontracts' }, contractId ?? ''),
    enabled: contractId !== null,
  })
  const json = query.data?.json
  const data = useMemo(() => {
    if (contractId === null) return NO_TERMS
    if (json === undefined) return undefined
    const read = readAcceptedJson(json)
    return read.ok ? readContractTerms(read.spelled()) : NO_TERMS
  }, [contractId, json])
  return { data, error: query.error, refetch: query.refetch }
}

const TEXT_CHARACTERS_MAX = 400

interface ContractTermsViewProps {
  contractId: string
  productId: string
}

/** The terms of an output port's contract, and the classifications of its fields. */
export function ContractTermsView({ contractId, productId }: ContractTermsViewProps) {
  const terms = useContractTerms(contractId)
  return (
    <Loaded
      query={terms}
      skeleton={{ lines: 3, isFlush: true, label: 'Loading the terms' }}
      missing={
        <p className="text-muted">
          The contract <code className="user-text">{contractId}</code> does not exist yet, so there
          are no terms to agree to.
        </p>
      }
    >
      {({ texts }) => <Terms contractId={contractId} productId={productId} texts={texts} />}
    </Loaded>
  )
}

function Terms({
  contractId,
  productId,
  texts,
}: ContractTermsViewProps & Pick<ContractTerms, 'texts'>) {
  const contracts = api.useQuery('get', '/api/dataproducts/{id}/contracts', {
    params: { path: { id: productId } },
  })
  const contract = contracts.data?.find((one) => one.contractId === contractId)?.contract
  const classifications = contract?.classifications ?? []
  const name = contract?.name ?? contractId
  return (
    <Facts
      facts={[
        [
          'Contract',
          <span key="contract" className="flex min-w-0 flex-wrap items-center gap-x-2">
            <NameLink href={paths.dataContract(contractId)} name={name} lines={2} />
            <span className="user-text text-muted">{contract?.version}</span>
          </span>,
        ],
        ...texts.map(([title, text]): [string, ReactNode] => [
          title,
          <LongText key={title} text={text} charactersMax={TEXT_CHARACTERS_MAX} />,
        ]),
        [
          'Classification',
          classifications.length === 0 ? null : (
            <ClassificationsProvider key="classification">
              <span className="flex flex-wrap gap-1">
                {classifications.map((one) => (
                  <Classification key={one} name={one} />
                ))}
              </span>
            </ClassificationsProvider>
          ),
        ],
      ]}
    />
  )
}
