-- The agreements in effect under a contract: the consumers that a change of the contract affects.
create index access_agreement_by_held_contract on access_agreement (organization_id, contract_id)
  where held_product is not null and contract_id is not null;
