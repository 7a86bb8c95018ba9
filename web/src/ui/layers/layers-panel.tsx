/** The panel of a page with several images: which of them are seen, and how they are mixed. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import {
  falseColor,
  inOwnColors,
  isFalseColor,
  type Layer,
  numberOfTint,
  only,
  withChannel,
  withLayer,
  withToggled,
} from '../../model/view/layers.ts';
import { layerMixes, layerTints, plainLayers } from '../../model/view-state.ts';
import { changeLayers, pageLayers, showLayers, shownLayers } from '../../state/layers.ts';
import { view } from '../../state/view.ts';
import { Button } from '../common/button.tsx';
import { Choices } from '../common/fields.tsx';
import { useBroken } from '../common/picture.tsx';
import { Slider } from '../common/slider.tsx';
import '../../messages/image-messages.ts';

/** In device pixels; shown at a third. */
const thumbnail = { width: 168, height: 168 };

function Thumbnail({ path }: { readonly path: string }): VNode | null {
  const { isBroken, onError } = useBroken(path);
  return isBroken ? null : <img src={pictureAddress(path, thumbnail)} alt="" loading="lazy" onError={onError} />;
}

interface LayerProps {
  readonly layer: Layer;
  readonly number: number;
}

function LayerRow({ layer: { path, label }, number }: LayerProps): VNode {
  const shown = shownLayers.value;
  const own = shown.find((one) => one.number === number);
  const isAlone = shown.length === 1 && own !== undefined;
  return (
    <li class={own === undefined ? 'layer' : 'layer on'}>
      <button
        type="button"
        class="layer-picture"
        aria-pressed={isAlone}
        aria-label={message('layer-alone', { label })}
        title={message('layer-alone', { label })}
        onClick={() => showLayers(only(number))}
      >
        <Thumbnail path={path} />
      </button>
      <label class="choice row">
        <input
          type="checkbox"
          checked={own !== undefined}
          onChange={() => showLayers(withToggled(shownLayers.peek(), number))}
        />
        <span>{label}</span>
        {own?.tint && <span class={`tint ${own.tint}`}>{message(own.tint)}</span>}
      </label>
      {own && (
        <input
          type="range"
          class="layer-opacity"
          aria-label={message('layer-opacity', { label })}
          min={0}
          max={100}
          value={Math.round(own.opacity * 100)}
          onInput={({ currentTarget }) =>
            showLayers(withLayer(shownLayers.peek(), number, { opacity: currentTarget.valueAsNumber / 100 }))
          }
        />
      )}
    </li>
  );
}

/** A layer over none has nothing to be mixed with. */
function Mix(): VNode {
  const { mix, edge } = view.value.layers;
  return (
    <section class="panel-section">
      <Choices
        legend={message('layer-mix')}
        class="segments"
        choices={layerMixes.map((name) => [name, message(`layer-mix-${name}`)])}
        chosen={mix}
        onChoose={(name) => changeLayers({ mix: name })}
      />
      {mix !== 'over' && shownLayers.value.length < 2 && <p class="soft">{message('layer-mix-needs-two')}</p>}
      {mix === 'slider' && (
        <Slider
          name={message('layer-edge')}
          value={Math.round(edge * 100)}
          min={0}
          max={100}
          step={1}
          neutral={plainLayers.edge * 100}
          onChange={(percent) => changeLayers({ edge: Math.min(Math.max(percent / 100, 0), 1) })}
        />
      )}
    </section>
  );
}

function Channels(): VNode {
  const id = useId();
  const layers = pageLayers.value;
  const shown = shownLayers.value;
  const isOn = isFalseColor(shown);
  return (
    <section class="panel-section">
      <h3>{message('layer-colors')}</h3>
      <Button pressed={isOn} onClick={() => showLayers(isOn ? inOwnColors(shown) : falseColor(layers.length))}>
        {message('layer-colors-on')}
      </Button>
      {isOn && <p class="soft">{message('layer-colors-help')}</p>}
      {isOn &&
        layerTints.map((tint) => (
          <p key={tint} class="layer-channel row">
            <label for={`${id}-${tint}`}>
              <span class={`tint ${tint}`}>{message(tint)}</span>
            </label>
            <select
              id={`${id}-${tint}`}
              value={numberOfTint(shown, tint) ?? ''}
              onChange={({ currentTarget }) => showLayers(withChannel(shown, tint, Number(currentTarget.value)))}
            >
              {numberOfTint(shown, tint) === undefined && <option value="">–</option>}
              {layers.map((layer, index) => (
                <option key={layer.path} value={index + 1}>
                  {layer.label}
                </option>
              ))}
            </select>
          </p>
        ))}
    </section>
  );
}

export function LayersPanel(): VNode {
  const layers = pageLayers.value;
  return (
    <>
      <section class="panel-section">
        <p class="soft">{message('layers-help')}</p>
        <ol class="layers">
          {layers.map((layer, index) => (
            <LayerRow key={layer.path} layer={layer} number={index + 1} />
          ))}
        </ol>
        <Button disabled={view.value.layers === plainLayers} onClick={() => changeLayers(plainLayers)}>
          {message('layers-reset')}
        </Button>
      </section>
      <Mix />
      <Channels />
    </>
  );
}
