/** Checks that responses are correct before their rate is measured. */
import sharp from 'sharp';
import { render } from '../processes/render.mjs';
import { BenchFailure } from './failure.mjs';
import { fetchResponse } from './http-client.mjs';

const gridSide = 8;
/** Largest mean difference of the cells of the grid, of 255; that of a neighboring tile is ten times as large. */
const tolerance = 3;
const infoObjectMembers = 31;

/** Format and size of a picture, and its mean colors in a grid, as sRGB. */
async function factsOf(bytes) {
  const { format, width, height } = await sharp(bytes).metadata();
  const grid = await sharp(bytes).resize(gridSide, gridSide, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  return { format, width, height, grid };
}

const meanDifference = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;

/** Describes what is wrong with a picture, if anything; the size of a peer’s picture may differ by a pixel, since some round down. */
async function faultOf(body, call, sizeTolerance) {
  const [found, expected] = [await factsOf(body), await factsOf(await render(call))];
  if (found.format !== 'jpeg') return `${found.format} instead of jpeg`;
  const off = Math.max(Math.abs(found.width - call.width), Math.abs(found.height - call.height));
  if (off > sizeTolerance) return `${found.width} x ${found.height} instead of ${call.width} x ${call.height}`;
  const difference = meanDifference(found.grid, expected.grid);
  return difference > tolerance ? `its colors are off by ${difference.toFixed(1)} of 255 on average` : undefined;
}

function faultOfInfo(body, { width, height }) {
  const document = JSON.parse(body.toString('utf8'));
  return document.width === width && document.height === height ? undefined : 'another size is described';
}

/** Checks members and values of the info object; its `base.url` must be the requested address. */
function faultOfInfoObject(body, address, width) {
  const members = Object.entries(JSON.parse(body.toString('utf8')));
  if (members.length !== infoObjectMembers) return `${members.length} members`;
  if (members.some(([, value]) => typeof value !== 'string')) return 'a member is no string';
  const values = new Map(members);
  if (values.get('base.url') !== address) return 'base.url is another address';
  return values.get('img.pix_x') === String(width) ? undefined : `img.pix_x is ${values.get('img.pix_x')}`;
}

function faultIn(system, request, body) {
  if (request.sharp) return faultOf(body, request.sharp, system.name === 'Lectern' ? 0 : 1);
  if (request.size) return faultOfInfo(body, request.size);
  return faultOfInfoObject(body, `http://127.0.0.1:${system.port}${request.lectern}`, request.width);
}

/** Sends a request to a system and checks the response. Throws BenchFailure with what is wrong. */
export async function requireCorrect(system, request) {
  const address = system.pathOf(request);
  const { status, body } = await fetchResponse(system.port, address);
  const fault = status === 200 ? await faultIn(system, request, body) : `status ${status}`;
  if (fault !== undefined) throw new BenchFailure(`The response of ${system.name} to ${address} is wrong: ${fault}.`);
}
