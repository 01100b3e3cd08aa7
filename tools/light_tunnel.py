"""Simulate the causal chamber's light tunnel, a stand-in for its measurements where they cannot be had.

    uv run --with causalchamber==0.2.8 tools/light_tunnel.py simulated.csv
    uv run snakemake --cores all --config data=simulated.csv truth=data/truths/light_tunnel_14.bif

Actuators are drawn as in the experiment `uniform_reference`, light, current and angles come from the authors'
deterministic simulator with the parameters of their tutorial, and normal errors are added, of which it has none. It
does not know the six LEDs at the sensors (l_11 to l_32), so that 14 of 20 variables and 27 of 39 arcs are there.
"""

import argparse

import numpy as np

PARAMETERS = {
    "S": [[4.34165202, 2.8594438, 1.91565691], [0.89410569, 1.58679242, 2.68477163]],
    **{"d1": 0.1, "d2": 0.17, "d3": 0.25},
    "Ts": [0.42685688, 0.41231782, 0.46652526],
    "Tp": [0.2909342, 0.29624314, 0.30526271],
    "Tc": [0.00431032, 0.01447611, 0.02041075],
    "Q": [0.12834946, 0.12870338, 0.13078523],
    **{"C0": 58.13307318503893, "A": 1.42261211, "a1": 506.8049747171294, "a2": 510.98343062774353},
}
OUTPUTS = ("ir_1", "vis_1", "ir_2", "vis_2", "ir_3", "vis_3", "current", "angle_1", "angle_2")
SENSORS = {**{f"diode_ir_{k}": 2 for k in (1, 2, 3)}, **{f"diode_vis_{k}": 1 for k in (1, 2, 3)}}
SENSORS |= {f"t_{light}_{k}": 3 for light in ("ir", "vis") for k in (1, 2, 3)}
SENSORS |= dict.fromkeys(("v_c", "v_angle_1", "v_angle_2"), 5)


def actuators(n, rng):
    """Draw light and polarizers as the experiment does, int and float64 [n] by name."""
    drawn = {name: rng.integers(0, 86, n).astype(float) for name in ("red", "green", "blue")}
    return drawn | {name: rng.integers(-150, 251, n) / 10 for name in ("pol_1", "pol_2")}


def simulated(simulate, n, noise, rng):
    """Return actuators and sensors by name, float64 [n] each.

    Args:
        simulate: the simulator: takes inputs and parameters by name, returns the sensors in the order of `OUTPUTS`.
        n: number of records.
        noise: standard deviation of the errors in that of the sensor.
        rng: source of actuators and errors.
    """
    inputs = actuators(n, rng)
    constant = {name: np.full(n, float(value)) for name, value in SENSORS.items()}
    parameters = {name: np.array(value) for name, value in PARAMETERS.items()}
    sensors = dict(zip(OUTPUTS, simulate(**inputs, **constant, **parameters), strict=True))
    return inputs | {name: x + noise * np.std(x) * rng.standard_normal(n) for name, x in sensors.items()}


def main():
    """Write the records as CSV."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--noise", type=float, default=0.1, help="errors in standard deviations of a sensor")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    from causalchamber.simulators.lt.sensors.main import Deterministic

    assert tuple(Deterministic.outputs_names) == OUTPUTS
    tunnel = Deterministic(**PARAMETERS)
    columns = simulated(tunnel._simulate, options.records, options.noise, np.random.default_rng(options.seed))
    form = {"delimiter": ",", "header": ",".join(columns), "comments": "", "fmt": "%.6g"}
    np.savetxt(options.file, np.column_stack([*columns.values()]), **form)


if __name__ == "__main__":
    main()
