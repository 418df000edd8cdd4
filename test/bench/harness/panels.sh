# shellcheck shell=bash
#
# Charts of lines in small panels side by side, as SVG, by gnuplot.  Sourced by
# the suites that draw any.

# chart_panels FILE TITLE X-AXIS Y-AXIS: lines over logarithmic axes, from
# lines on standard input, each "panel <tab> series <tab> x <tab> y"; panels and
# series are drawn in the order in which they come.  All panels have the same
# axes.  A series called "ideal" is a thin broken line, and the key has the
# place of one panel more.
chart_panels()
{
	local file=$1 title=$2 x_axis=$3 y_axis=$4
	local folder=$SCRATCH/panels
	local colours=("$CHART_ROWSER" "$CHART_FLOOR" '#8f4e8b' '#5a8f3c')
	local panels series rows low high i s colour ticks
	local plots=()

	rm -rf "$folder"
	mkdir "$folder"
	cat >"$folder/all"
	[ -s "$folder/all" ] || return 0
	mapfile -t panels < <(awk -F '\t' '!seen[$1]++ { print $1 }' "$folder/all")
	mapfile -t series < <(awk -F '\t' '
		!seen[$2]++ && $2 != "ideal" { print $2 }
		END { if (seen["ideal"]) print "ideal" }' "$folder/all")
	ticks=$(cut -f 3 "$folder/all" | sort -n | uniq | paste -s -d ,)
	read -r low high <<<"$(awk -F '\t' '
		NR == 1 || $4 < low { low = $4 }
		NR == 1 || $4 > high { high = $4 }
		END { print low / 1.25, high * 1.25 }' "$folder/all")"
	rows=$(((${#panels[@]} + 3) / 3))		# the key is one more

	{
		cat <<-END
			set terminal svg size 900,$((rows * 270 + 50)) font "sans-serif,13" background "white" enhanced
			set output "$file"
			set datafile separator "\t"
			set multiplot layout $rows,3 title "$title" font "sans-serif,17" noenhanced
			set logscale xy
			set xtics ($ticks)
			set xrange [${ticks%%,*} / 1.1:${ticks##*,} * 1.1]
			set yrange [$low:$high]
			set ytics (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
			set border 3 lc rgb "#808080"
			set tics nomirror textcolor rgb "#303030"
			set grid lc rgb "#e4e4e4" lw 1
			set xlabel "$x_axis" noenhanced
			set ylabel "$y_axis" noenhanced
			set key off
		END
		for i in "${!panels[@]}"; do
			awk -F '\t' -v p="${panels[i]}" '$1 == p' "$folder/all" >"$folder/panel$i"
			plots=()
			for s in "${!series[@]}"; do
				colour=${colours[s % ${#colours[@]}]}
				if [ "${series[s]}" = ideal ]; then
					plots+=("\"$folder/panel$i\" using (strcol(2) eq \"ideal\" ? column(3) : NaN):4 with lines dt 2 lw 1.5 lc rgb \"#404040\"")
				else
					plots+=("\"$folder/panel$i\" using (strcol(2) eq \"${series[s]}\" ? column(3) : NaN):4 with linespoints pt 7 ps 0.5 lw 2 lc rgb \"$colour\"")
				fi
			done
			printf 'set title "%s" noenhanced\n' "${panels[i]}"
			(IFS=,; printf 'plot %s\n' "${plots[*]}")
		done
		# the key: a panel with nothing in it
		plots=()
		for s in "${!series[@]}"; do
			colour=${colours[s % ${#colours[@]}]}
			if [ "${series[s]}" = ideal ]; then
				plots+=("NaN with lines dt 2 lw 1.5 lc rgb \"#404040\" title \"${series[s]}\"")
			else
				plots+=("NaN with linespoints pt 7 ps 0.5 lw 2 lc rgb \"$colour\" title \"${series[s]}\"")
			fi
		done
		cat <<-END
			unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid
			unset logscale; set xrange [0:1]; set yrange [0:1]
			set key center noenhanced
			$(IFS=,; printf 'plot %s\n' "${plots[*]}")
			unset multiplot
		END
	} >"$folder/plot"
	gnuplot "$folder/plot"
	sed -i "s|$folder/||g" "$file"
}
