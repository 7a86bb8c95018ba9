/** The program of the thread that parses a long YAML file. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseMetadata } from './parse-metadata.ts';
import { readYaml } from './yaml.ts';
import type { YamlJob } from './yaml-thread.ts';

const { text, fileName, images, jsonFiles } = workerData as YamlJob;
parentPort?.postMessage(await parseMetadata(readYaml, text, fileName, { images, jsonFiles }));
