/**
 * Answers of real servers, as people recorded them in public reports, with their names of indexes and nodes replaced by ours. Each
 * says which server gave it, and where it was published.
 */

export interface RecordedAnswer {
  readonly source: string;
  readonly status: number;
  readonly body: object | string;
}

const failed = (status: number, type: string, reason: string, more: object = {}): Omit<RecordedAnswer, 'source'> => ({
  status,
  body: { error: { root_cause: [{ type, reason, ...more }], type, reason, ...more }, status },
});

const uuid = 'Ugo8y_7tTsW7FJCT281GnQ';

export const recorded = {
  /** `PUT` of an index that is there. */
  alreadyExists: {
    source: 'OpenSearch 2.17, github.com/opensearch-project/OpenSearch/issues/20072',
    ...failed(400, 'resource_already_exists_exception', `index [pages/${uuid}] already exists`, {
      index: 'pages',
      index_uuid: uuid,
    }),
  },
  /** The same as a change of OpenSearch proposes it. */
  alreadyExistsAsConflict: {
    source: 'github.com/opensearch-project/OpenSearch/pull/22354',
    ...failed(409, 'resource_already_exists_exception', `index [pages/${uuid}] already exists`, {
      index: 'pages',
      index_uuid: uuid,
    }),
  },
  /** `PUT` of an index whose fields the server does not take. */
  refusedMapping: {
    source: 'Elasticsearch 7, github.com/elastic/curator/issues/1544',
    ...failed(
      400,
      'illegal_argument_exception',
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    ),
  },
  /** `GET` of an index that is not there. */
  noSuchIndex: {
    source: 'Elasticsearch 7, a transcript of curl in public notes on its installation',
    ...failed(404, 'index_not_found_exception', 'no such index [pages]', {
      'resource.type': 'index_or_alias',
      'resource.id': 'pages',
      index_uuid: '_na_',
      index: 'pages',
    }),
  },
  /** The whole of a bulk request is refused under load. */
  bulkRefused: {
    source: 'OpenSearch of a hosted service, github.com/exercism/website/issues/7223',
    ...failed(
      429,
      'rejected_execution_exception',
      'rejected execution of coordinating operation [shard_detail=[pages][2][C], shard_coordinating_and_primary_bytes=29490684, shard_operation_bytes=434882, shard_max_coordinating_and_primary_bytes=34694922] OR [node_coordinating_and_primary_bytes=106861195, node_replica_bytes=105782531, node_all_bytes=212643726, node_operation_bytes=434882, node_max_coordinating_and_primary_bytes=213005107]',
    ),
  },
  /** The disk of the server is full. */
  diskFull: {
    source: 'Elasticsearch 7, an error log of TheHive’s Cortex in public notes on its installation',
    ...failed(
      429,
      'cluster_block_exception',
      'index [pages] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
    ),
  },
  forbidden: {
    source: 'Open Distro 1.8, github.com/opensearch-project/security/issues/533',
    ...failed(
      403,
      'security_exception',
      'no permissions for [indices:data/read/search] and User [name=test-user, backend_roles=[], requestedTenant=__user__]',
    ),
  },
  allShardsFailed: {
    source: 'Elasticsearch 6, an error log of Kibana in public notes',
    status: 503,
    body: {
      error: {
        root_cause: [],
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        phase: 'query',
        grouped: true,
        failed_shards: [],
      },
      status: 503,
    },
  },
  /** A search that ran out of its time: all its shards count as successful. */
  timedOut: {
    source: 'OpenSearch, github.com/opensearch-project/OpenSearch/issues/21087',
    status: 200,
    body: {
      took: 1000,
      timed_out: true,
      _shards: { total: 40, successful: 40, skipped: 0, failed: 0 },
      hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
    },
  },
  /** A search in which some shards failed. */
  someShardsFailed: {
    source: 'OpenSearch, the counts of github.com/opensearch-project/sql/issues/5687',
    status: 200,
    body: {
      took: 3,
      timed_out: false,
      _shards: { total: 1000, successful: 12, skipped: 0, failed: 988, failures: [] },
      hits: { total: { value: 0, relation: 'eq' }, max_score: null, hits: [] },
    },
  },
  /** A proxy in front of the server, or another server at the address. */
  htmlPage: {
    source: 'github.com/elasticsearch-dump/elasticsearch-dump/issues/709',
    status: 200,
    body: '<html><body><h1>It works!</h1></body></html>',
  },
} as const satisfies Record<string, RecordedAnswer>;

/**
 * An item of a bulk request that a full queue refused, while the request as a whole has status 200 (Elasticsearch 7, an error
 * log of Fluent Bit in DaoCloud’s public documentation; there the names of Java’s classes are longer).
 */
export const refusedItem = (action: 'index' | 'delete', id: string) => ({
  [action]: {
    _index: 'pages',
    _type: '_doc',
    _id: id,
    status: 429,
    error: {
      type: 'es_rejected_execution_exception',
      reason:
        'rejected execution of org.elasticsearch.action.support.replication.TransportWriteAction$1 on EsThreadPoolExecutor[name = data-0/write, queue capacity = 10000, [Running, pool size = 2, active threads = 2, queued tasks = 10000, completed tasks = 11472149]]',
    },
  },
});

/** An item that does not fit the fields of the index (the types and statuses of OpenSearch’s documentation of bulk requests). */
export const unfitItem = (id: string) => ({
  index: {
    _index: 'pages',
    _id: id,
    status: 400,
    error: { type: 'strict_dynamic_mapping_exception', reason: 'mapping set to strict, dynamic introduction of [x]' },
  },
});
